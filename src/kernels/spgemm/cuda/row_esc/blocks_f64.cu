#include "kernels/spgemm/cuda/row_esc/block_rows_launch.cuh"

namespace gossamer::device {

template void multiply_by_blocks(const context&, const adaptive_operands<double>&,
                                 const launched_rows&, const row_target<double>&);

}  // namespace gossamer::device
