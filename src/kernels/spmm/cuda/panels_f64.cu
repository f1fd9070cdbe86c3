#include "kernels/spmm/cuda/panel_launch.cuh"

namespace gossamer::device {

template void multiply_panels(const csr_view<const double>&, const dense_call<double>&,
                              const panel_tables&, partial_sums&, const context&);

}  // namespace gossamer::device
