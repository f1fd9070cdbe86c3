// Converts every format to compressed rows: the first half of every conversion.
#pragma once

#include "convert/arrays.hpp"
#include "gossamer/operand.hpp"

namespace gossamer {

/// alpha * view as the arrays of a CSR matrix. Nonzeros of a row keep their order (CSC: by column);
/// duplicates stay; a dense matrix drops its exact zeros and keeps NaN.
template <scalar T, scalar From>
compressed<T> to_rows(const context& where, const any_view<const From>& view, From alpha);

/// The transpose of a view. CSR, CSC, COO and dense are only relabelled; padded formats are first
/// copied to `storage`, which the result then borrows.
template <scalar T>
any_view<const T> flipped(const context& where, const any_view<const T>& view,
                          csr_matrix<T>& storage);

}  // namespace gossamer
