// Operations on the rows of a CSR matrix on a device: filters, order, sums. Their arrays equal
// those of the host, bit by bit. In a build without CUDA they throw error(not_available).
#pragma once

#include "convert/conversions.hpp"
#include "convert/row_filter.hpp"

namespace gossamer::cuda {

/// keep_entries (convert/keep.hpp) on a device. Waits.
template <scalar T>
csr_matrix<T> keep_entries(const context&, const csr_view<const T>& a, const entry_filter& by);
/// The device memory that keep_entries holds at most, its result included.
index_t keep_entries_bytes(extents shape, index_t nnz, value_type values, const entry_filter& by);

/// A copy with columns sorted within each row, stably.
template <scalar T>
csr_matrix<T> sort_columns(const context&, const csr_view<const T>& a);
/// The same with duplicates added, in their order of storage. Waits.
template <scalar T>
csr_matrix<T> sum_duplicates(const context&, const csr_view<const T>& a);

/// a + b; rows are sorted and have no duplicates. Waits.
template <scalar T>
csr_matrix<T> add_rows(const context&, const scaled_rows<T>& a, const scaled_rows<T>& b);
/// The device memory that add_rows holds at most, its result included.
index_t add_rows_bytes(extents shape, index_t a_nnz, index_t b_nnz, value_type values);

}  // namespace gossamer::cuda
