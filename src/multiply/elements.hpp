// Element-wise work on dense results, on the host or on a device: y = beta y, and z into y.
#pragma once

#include <algorithm>

#include "backends/cuda/arrays.hpp"
#include "base/parallel.hpp"
#include "gossamer/complex.hpp"
#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer::detail {

template <class T, class F>
void for_each_element(const dense_view<T>& c, int threads, F&& f) {
  const index_t inner = std::max<index_t>(c.shape.cols, 1);
  parallel_ranges(threads, c.shape.rows, (1 << 15) / inner + 1, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i)
      for (index_t j = 0; j < c.shape.cols; ++j) f(i, j);
  });
}

/// beta = 0 never reads c.
template <class T>
void scale(const context& where, const dense_view<T>& c, T beta) {
  if (c.where == memory::device) return cuda::scale(where, c, beta);
  for_each_element(c, where.threads(), [&](index_t i, index_t j) {
    c(i, j) = beta == T{0} ? T{0} : scaled_value(beta, c(i, j));
  });
}

template <class T>
void copy_into(const context& where, const dense_view<const T>& z, const dense_view<T>& y) {
  if (y.where == memory::device) return cuda::copy_elements(where, z, y);
  for_each_element(y, where.threads(), [&](index_t i, index_t j) { y(i, j) = z(i, j); });
}

}  // namespace gossamer::detail
