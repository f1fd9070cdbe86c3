// Filters the rows of an existing matrix.
#pragma once

#include "convert/row_filter.hpp"
#include "gossamer/convert.hpp"

namespace gossamer {

/// A copy of `a` with the nonzeros that the filter keeps, in their order.
template <scalar T>
csr_matrix<T> keep_entries(const context& where, const csr_view<const T>& a,
                           const entry_filter& by);

}  // namespace gossamer
