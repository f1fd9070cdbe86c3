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

}  // namespace gossamer::device
