// For builds without the header of cuSPARSE: the kernel is listed and says why it cannot run.
#include "plan/kernel.hpp"

namespace gossamer {

extern const kernel spmm_csr_vendor_cuda;
const kernel spmm_csr_vendor_cuda{.id = "spmm/csr/vendor/cuda",
                                  .summary = "NVIDIA's cuSPARSE, if installed",
                                  .reference = "docs/kernels/spmm-cuda.md",
                                  .deterministic = false,
                                  .consider = [](const problem&, const machine&) -> verdict {
                                    return {.because = "this build found no cuSPARSE (cusparse.h)"};
                                  }};

}  // namespace gossamer
