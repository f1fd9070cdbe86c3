// One row of A times x. Four sums hide the latency of the addition; the order is fixed by the row
// alone, so the result does not depend on threads.
#pragma once

#include "gossamer/types.hpp"

namespace gossamer {

template <class T, class I>
constexpr T row_dot(const T* values, const I* columns, index_t begin, index_t end, const T* x) {
  T sum[4] = {0, 0, 0, 0};
  index_t p = begin;
  for (; p + 4 <= end; p += 4)
    for (int lane = 0; lane < 4; ++lane) sum[lane] += values[p + lane] * x[columns[p + lane]];
  T rest = 0;
  for (; p < end; ++p) rest += values[p] * x[columns[p]];
  return end - begin < 4 ? rest : (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

}  // namespace gossamer
