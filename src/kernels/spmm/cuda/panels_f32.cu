#include "kernels/spmm/cuda/panel_launch.cuh"

namespace gossamer::device {

template void multiply_panels(const csr_view<const float>&, const dense_call<float>&,
                              const panel_tables&, partial_sums&, const context&);

}  // namespace gossamer::device
