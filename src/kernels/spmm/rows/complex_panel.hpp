// Rows of a complex CSR matrix times a row-major block: W vectors of N complex columns of a row of
// C stay in registers, as two sums each (kernels/simd/complex_lanes.hpp), while the row of A is
// walked.
#pragma once

#include "kernels/simd/complex_lanes.hpp"
#include "kernels/spmm/rows/panel_rows.hpp"
#include "plan/vector_call.hpp"

namespace gossamer::detail {

/// Columns first .. first + W * N of row r of the block.
template <int N, int W, class T, class I>
[[gnu::always_inline]] inline void complex_tile(const row_block<T, I>& a, const row_panel<T>& p,
                                                index_t r, index_t first) {
  using lanes = complex_lanes<T, N>;
  lanes sums[W];
  for (index_t k = a.offsets[r]; k < a.offsets[r + 1]; ++k) {
    if (p.prefetch > 0)
      __builtin_prefetch(p.b + p.b_stride * a.columns[std::min(k + p.prefetch, a.last_nonzero)] +
                         first);
    const T value = a.values[k];
    const T* const b = p.b + p.b_stride * a.columns[k] + first;
#pragma GCC unroll 8
    for (int w = 0; w < W; ++w) sums[w].add(value.real(), value.imag(), lanes::load(b + w * N));
  }
  T* const c = p.c + (a.first + r - p.first_row) * p.c_stride + first;
  const bool as_it_is = p.alpha == T{1} && p.beta == T{0};
#pragma GCC unroll 8
  for (int w = 0; w < W; ++w) {
    const auto sum = sums[w].combined(p.conjugated);
    if (as_it_is) {
      std::memcpy(static_cast<void*>(c + w * N), &sum, sizeof sum);
    } else {
      for (int n = 0; n < N; ++n)
        c[w * N + n] = blend(p.alpha, T{sum[2 * n], sum[2 * n + 1]}, p.beta, c[w * N + n]);
    }
  }
}

/// Tiles of W, of 1 vector, and of one column.
template <int N, int W, class T, class I>
[[gnu::always_inline]] inline void complex_panel(const row_block<T, I>& a, const row_panel<T>& p) {
  for (index_t r = 0; r < a.rows; ++r) {
    index_t first = 0;
    for (; first + W * N <= p.columns; first += W * N) complex_tile<N, W>(a, p, r, first);
    for (; first + N <= p.columns; first += N) complex_tile<N, 1>(a, p, r, first);
    if constexpr (N > 1)
      for (; first < p.columns; ++first) complex_tile<1, 1>(a, p, r, first);
  }
}

template <class T, class I>
void plain_complex_panel(const row_block<T, I>& a, const row_panel<T>& p) {
  complex_panel<16 / sizeof(T), 4>(a, p);
}

}  // namespace gossamer::detail
