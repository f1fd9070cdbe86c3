#include "kernels/spgemm/cuda/row_esc/local_launch.cuh"

namespace gossamer::device {

// Compiled in adaptive_f32.cu.
extern template void launch_threads<32>(const context&, const narrow_product<float>&,
                                        const index_t*, const row_list&, const row_target<float>&);
extern template void launch_threads<64>(const context&, const narrow_product<float>&,
                                        const index_t*, const row_list&, const row_target<float>&);

template void multiply_local_rows(const context&, const adaptive_operands<float>&, const row_work&,
                                  const row_groups&, const adaptive_target<float>&);

}  // namespace gossamer::device
