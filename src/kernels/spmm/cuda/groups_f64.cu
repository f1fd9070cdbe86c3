#include "kernels/spmm/cuda/group_launch.cuh"

namespace gossamer::device {

template void multiply_groups(const csr_view<const double>&, const dense_call<double>&,
                              const group_tables&, piece_sums&, const context&);

}  // namespace gossamer::device
