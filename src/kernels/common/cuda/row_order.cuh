// The rows of a CSC matrix, which is also a transposed CSR, on a device: for each row its columns
// and where their values are. Values stay in place, so they may change.
#pragma once

#include <limits>

#include "backends/cuda/indices.cuh"
#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "formats/typed.hpp"

namespace gossamer::device {

/// Rows over the arrays of a CSC matrix. Key: std::uint32_t where nnz fits it.
template <class Key>
struct row_order {
  using offset = std::make_signed_t<Key>;
  buffer<offset> offsets;  ///< rows + 1
  buffer<Key> columns;     ///< columns of the nonzeros in row order
  buffer<Key> places;      ///< positions of their values

  index_t bytes() const {
    return (offsets.size() + columns.size() + places.size()) * index_t{sizeof(Key)};
  }
};

/// Nonzeros of a row keep the order of the columns: the sort is stable.
template <class Key, class T, class I, class O>
row_order<Key> order_by_rows(const context& where, const csc_ref<T, I, O>& a) {
  using offset = std::make_signed_t<Key>;
  const index_t nnz = a.nnz();
  buffer<Key> keys(nnz, where.memory());
  Key* const key = keys.data();
  cuda::for_each(where, nnz, "the rows of entries",
                 [=] __device__(index_t p) { key[p] = static_cast<Key>(a.row_indices[p]); });
  int bits = 1;
  while (bits < 63 && (index_t{1} << bits) < a.rows) ++bits;
  auto sorted = cuda::order_of(where, std::move(keys), bits);
  row_order<Key> order{.offsets = buffer<offset>(a.rows + 1, where.memory()),
                       .columns = buffer<Key>(nnz, where.memory()),
                       .places = std::move(sorted.from)};
  const Key* const row = sorted.keys.data();
  offset* const first = order.offsets.data();
  cuda::for_each(where, a.rows + 1, "the offsets of rows", [=] __device__(index_t i) {
    first[i] = static_cast<offset>(cuda::first_not_below(row, nnz, static_cast<Key>(i)));
  });
  const Key* const place = order.places.data();
  Key* const column = order.columns.data();
  cuda::for_each(where, nnz, "the columns of entries", [=] __device__(index_t p) {
    // The last column that begins at or before the position.
    const auto behind = static_cast<index_t>(place[p]) + 1;
    column[p] = static_cast<Key>(cuda::first_not_below(a.offsets, a.cols + 1, behind) - 1);
  });
  return order;
}

/// True when 32 bits hold the nonzeros, rows and columns of the operand.
inline bool narrow(index_t rows, index_t cols, index_t nnz) {
  return std::max({rows + 1, cols, nnz}) < std::numeric_limits<std::int32_t>::max();
}

}  // namespace gossamer::device
