// A build without CUDA has none of its kernels.
#include "kernels/catalog.hpp"

namespace gossamer {

catalogue cuda_kernels() { return {}; }

}  // namespace gossamer
