// For builds without CUDA: there is no device to convert on.
#include "base/text.hpp"
#include "convert/conversions.hpp"

namespace gossamer::cuda {

const conversion_table& device_conversions() {
  throw fail(error_kind::not_available, "this build of Gossamer has no CUDA backend");
}

}  // namespace gossamer::cuda
