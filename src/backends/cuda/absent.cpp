// A build without CUDA: everything is answered with the reason.
#include "backends/cuda/runtime.hpp"
#include "base/text.hpp"

namespace gossamer::cuda {

std::string why_not_available() { return "this build of Gossamer has no CUDA backend"; }

std::shared_ptr<memory_resource> device_memory(int) {
  throw fail(error_kind::not_available, "{}; use context::openmp()", why_not_available());
}

}  // namespace gossamer::cuda
