// Rows of C whose pattern is known: every nonzero is the sum of the terms that the pattern lists,
// in the order of the multiplications. A group of lanes computes a row, a lane a nonzero at a time.
#pragma once

#include "kernels/spgemm/cuda/patterns/row_patterns.hpp"
#include "kernels/spgemm/cuda/warp_segments.cuh"

namespace gossamer::device {

inline constexpr int pattern_block = 256;
/// Nonzeros of A that a block keeps in shared memory.
inline constexpr int pattern_a_nonzeros = 1024;

/// Rows that a block computes: they fit its shared memory unless they are uneven, when nonzeros
/// beyond it are read from memory.
struct pattern_shape {
  int lanes, rows;
};

/// `lanes` per row: about as many as a mean row of C has nonzeros.
inline pattern_shape shape_of_patterns(index_t rows, index_t a_nnz, index_t c_nnz) {
  const index_t mean_c = c_nnz / rows, mean_a = a_nnz / rows + 1;
  int lanes = 4;
  while (lanes < warp_size && lanes < mean_c) lanes *= 2;
  index_t each = pattern_block / lanes;
  while (each > 1 && each * mean_a > pattern_a_nonzeros) each /= 2;
  while (each * 2 * mean_a <= pattern_a_nonzeros && each < 2 * pattern_block / lanes) each *= 2;
  return {lanes, static_cast<int>(each)};
}

/// The patterns, as device code sees them.
struct pattern_list {
  const row_pattern* patterns;
  const std::int32_t* pattern_of;
  const std::int32_t* base;
};

template <class T>
__global__ void __launch_bounds__(pattern_block)
    pattern_rows(row_product<T, const std::int32_t*> of, pattern_list list, pattern_shape shape,
                 row_target<T> to) {
  __shared__ index_t b_begin[pattern_a_nonzeros];
  __shared__ T factor[pattern_a_nonzeros];
  const index_t first_row = static_cast<index_t>(blockIdx.x) * shape.rows;
  const index_t last_row = min(first_row + shape.rows, of.a.rows);
  const index_t a_first = of.a.offsets[first_row], a_last = of.a.offsets[last_row];
  for (index_t k = a_first + threadIdx.x; k < min(a_last, a_first + pattern_a_nonzeros);
       k += pattern_block) {
    b_begin[k - a_first] = of.b.offsets[of.a.columns[k]];
    factor[k - a_first] = of.a.values[k];
  }
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % shape.lanes;
  for (index_t row = first_row + threadIdx.x / shape.lanes; row < last_row;
       row += pattern_block / shape.lanes) {
    const row_pattern& pattern = list.patterns[list.pattern_of[row]];
    const index_t place = to.places[row], a_begin = of.a.offsets[row];
    const auto begin = static_cast<int>(min(a_begin - a_first, index_t{pattern_a_nonzeros}));
    const int nonzeros = pattern.nonzeros;
    for (int s = lane; s < nonzeros; s += shape.lanes) {
      const int width = min(warp_size, nonzeros - s / warp_size * warp_size);
      const std::uint32_t* term = pattern.term + pattern.slice[s / warp_size] + s % warp_size;
      T sum = 0;
      for (int left = pattern.length[s]; left > 0; --left, term += width) {
        const std::uint32_t which = __ldg(term);
        const auto k = static_cast<int>(which >> 16);
        const index_t l = which & 0xffffU;
        if (begin + k < pattern_a_nonzeros) {
          sum += exact_product(factor[begin + k], of.b.values[b_begin[begin + k] + l]);
        } else {
          const index_t at = a_begin + k;
          sum += exact_product(of.a.values[at], of.b.values[of.b.offsets[of.a.columns[at]] + l]);
        }
      }
      to.columns.set(place + s, list.base[row] + pattern.column[s]);
      to.values[place + s] = exact_product(of.alpha, sum);
    }
  }
}

}  // namespace gossamer::device
