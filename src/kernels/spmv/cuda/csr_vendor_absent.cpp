// For builds without the header of cuSPARSE: the kernel is listed and says why it cannot run.
#include "plan/kernel.hpp"

namespace gossamer {

extern const kernel spmv_csr_vendor_cuda;
const kernel spmv_csr_vendor_cuda{.id = "spmv/csr/vendor/cuda",
                                  .summary = "NVIDIA's cuSPARSE, if installed",
                                  .reference = "Anzt et al. 2020 (sparselib)",
                                  .deterministic = false,
                                  .consider = [](const problem&, const machine&) -> verdict {
                                    return {.because = "this build found no cuSPARSE (cusparse.h)"};
                                  }};

}  // namespace gossamer
