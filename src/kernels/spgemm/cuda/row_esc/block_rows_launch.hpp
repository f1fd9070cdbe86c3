// The launches of the block group, which take as long to compile as those of all others.
#pragma once

#include "kernels/spgemm/cuda/adaptive_rows.hpp"
#include "kernels/spgemm/cuda/product_rows.cuh"

namespace gossamer::device {

/// The rows of one launch.
struct launched_rows {
  row_list rows;
  index_t most;  ///< multiplications of one of them
};

/// Rows of up to 12,288 multiplications, one per block.
template <class T>
void multiply_by_blocks(const context&, const adaptive_operands<T>&, const launched_rows&,
                        const row_target<T>&);

}  // namespace gossamer::device
