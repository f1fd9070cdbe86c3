#include "kernels/spgemm/cuda/row_esc/block_rows_launch.cuh"

namespace gossamer::device {

template void multiply_by_blocks(const context&, const adaptive_operands<float>&,
                                 const launched_rows&, const row_target<float>&);

}  // namespace gossamer::device
