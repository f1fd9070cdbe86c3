// A block of ELL rows times x: positions are read column by column, so that memory is read in
// order; padding is never multiplied, and the loop ends when all rows have reached their padding.
#pragma once

#include <algorithm>

#include "gossamer/views.hpp"
#include "kernels/simd/select.hpp"

namespace gossamer {

/// Rows per block: their sums, 512 bytes at most, stay in registers and L1. Not measured.
inline constexpr index_t ell_block = 64;

/// Position k of row r is at k * stride + r of the arrays.
template <class T, class I>
struct ell_rows_ref {
  const I* columns = nullptr;
  const T* values = nullptr;
  index_t rows = 0, width = 0, stride = 0;
};

/// Sets sums[r] to row r times x, for at most ell_block rows.
template <class T, class I>
using ell_summer = void (*)(const ell_rows_ref<T, I>&, const T* x, T* sums);

template <class T, class I>
variants<ell_summer<T, I>> ell_summers();

/// Calls store(r, sum) for each row.
template <class T, class I, class Store>
void ell_block_rows(const ell_rows_ref<T, I>& a, const T* x, Store&& store) {
  static const auto sum_rows = select(ell_summers<T, I>());
  T sums[ell_block];
  sum_rows(a, x, sums);
  for (index_t r = 0; r < a.rows; ++r) store(r, sums[r]);
}

namespace detail {

template <class T, class I>
void ell_sums_plain(const ell_rows_ref<T, I>& a, const T* x, T* sums) {
  std::fill_n(sums, a.rows, T{0});
  for (index_t k = 0; k < a.width; ++k) {
    bool any = false;
    for (index_t r = 0; r < a.rows; ++r) {
      const I column = a.columns[k * a.stride + r];
      if (column == padding) continue;
      sums[r] += a.values[k * a.stride + r] * x[column];
      any = true;
    }
    if (!any) return;
  }
}

}  // namespace detail

}  // namespace gossamer
