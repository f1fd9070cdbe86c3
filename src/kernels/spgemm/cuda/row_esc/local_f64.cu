#include "kernels/spgemm/cuda/row_esc/local_launch.cuh"

namespace gossamer::device {

// Compiled in adaptive_f64.cu.
extern template void launch_threads<32>(const context&, const narrow_product<double>&,
                                        const index_t*, const row_list&, const row_target<double>&);
extern template void launch_threads<64>(const context&, const narrow_product<double>&,
                                        const index_t*, const row_list&, const row_target<double>&);

template void multiply_local_rows(const context&, const adaptive_operands<double>&, const row_work&,
                                  const row_groups&, const adaptive_target<double>&);

}  // namespace gossamer::device
