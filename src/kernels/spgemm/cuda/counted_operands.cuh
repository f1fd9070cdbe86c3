// The operands of C = A B while multiplications are counted: indices of either width.
#pragma once

#include "backends/cuda/indices.cuh"
#include "kernels/spgemm/cuda/row_work.hpp"
#include "kernels/spgemm/cuda/warp_segments.cuh"

namespace gossamer::device {

inline constexpr int count_threads = 256;

struct counted_operands {
  index_t rows;
  cuda::index_reader a_offsets, a_columns, b_offsets;
  explicit counted_operands(const product_structure& of)
      : rows(of.a_shape.rows),
        a_offsets(of.a_offsets),
        a_columns(of.a_columns),
        b_offsets(of.b_offsets) {}
  __device__ index_t products_of(index_t k) const {
    const index_t j = a_columns[k];
    return b_offsets[j + 1] - b_offsets[j];
  }
};

/// The first and the last column of a row of C, where rows of B ascend. One warp asks.
struct column_range {
  index_t first, last;
};
__device__ inline column_range columns_of_row(const counted_operands& of,
                                              cuda::index_reader b_columns, index_t row,
                                              index_t columns_of_b) {
  column_range range{columns_of_b, 0};
  const index_t end = of.a_offsets[row + 1];
  for (index_t k = of.a_offsets[row] + lane_index(); k < end; k += warp_size) {
    const index_t j = of.a_columns[k], begin = of.b_offsets[j], after = of.b_offsets[j + 1];
    if (begin == after) continue;
    range.first = min(range.first, b_columns[begin]);
    range.last = max(range.last, b_columns[after - 1]);
  }
  for (int step = warp_size / 2; step > 0; step /= 2) {
    range.first = min(range.first, __shfl_xor_sync(whole_warp, range.first, step));
    range.last = max(range.last, __shfl_xor_sync(whole_warp, range.last, step));
  }
  return range;
}

}  // namespace gossamer::device
