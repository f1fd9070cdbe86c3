#include "backends/cuda/check.hpp"

namespace gossamer::cuda {

std::string error_text(cudaError_t status) {
  (void)cudaGetLastError();
  return formatted("{} ({})", cudaGetErrorString(status), cudaGetErrorName(status));
}

void throw_failed(cudaError_t status, const std::string& what) {
  const auto kind =
      status == cudaErrorMemoryAllocation ? error_kind::out_of_memory : error_kind::device_failure;
  throw fail(kind, "{}: {}", what, error_text(status));
}

}  // namespace gossamer::cuda
