#include "kernels/spgemm/cuda/adaptive_launch.cuh"

namespace gossamer::device {

template void multiply_sorted_rows(const context&, const adaptive_operands<float>&, const row_work&,
                                   const large_rows&, const adaptive_target<float>&);
template void count_stripes(const context&, const adaptive_operands<float>&, large_rows&);
template void multiply_stripes(const context&, const adaptive_operands<float>&, const large_rows&,
                               const adaptive_target<float>&);
template void multiply_windows(const context&, const adaptive_operands<float>&,
                               const windowed_rows&, const adaptive_target<float>&);
template void multiply_by_pattern(const context&, const adaptive_operands<float>&,
                                  const row_patterns&, index_t, const adaptive_target<float>&);
template void multiply_by_terms(const context&, const adaptive_operands<float>&, const term_lists&,
                                const adaptive_target<float>&);
template void move_rows(const context&, const row_work&, const staged_rows<float>&,
                        const adaptive_target<float>&);

// Also launched by kernels of row_esc/.
template void launch_threads<32>(const context&, const narrow_product<float>&, const index_t*,
                                 const row_list&, const row_target<float>&);
template void launch_threads<64>(const context&, const narrow_product<float>&, const index_t*,
                                 const row_list&, const row_target<float>&);

}  // namespace gossamer::device
