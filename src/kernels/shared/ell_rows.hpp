// A block of ELL rows times x: places are walked column by column, so that memory is read in
// order; a padded place is skipped, never multiplied.
#pragma once

#include <algorithm>

#include "gossamer/views.hpp"

namespace gossamer {

/// Rows per block: their sums stay in registers and L1.
inline constexpr index_t ell_block = 64;

/// store(r, sum) for each of `rows` rows whose place k is at k * stride + r of the arrays.
template <class T, class I, class Store>
void ell_block_rows(const I* columns, const T* values, index_t rows, index_t width, index_t stride,
                    const T* x, Store&& store) {
  T sums[ell_block];
  std::fill_n(sums, rows, T{0});
  for (index_t k = 0; k < width; ++k)
    for (index_t r = 0; r < rows; ++r) {
      const I column = columns[k * stride + r];
      if (column != padding) sums[r] += values[k * stride + r] * x[column];
    }
  for (index_t r = 0; r < rows; ++r) store(r, sums[r]);
}

}  // namespace gossamer
