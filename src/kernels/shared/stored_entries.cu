#include "kernels/shared/stored_entries.cuh"

#include "backends/cuda/greatest.cuh"

namespace gossamer::device {

bool are_floats(const context& where, const double* values, index_t count) {
  return 0 == cuda::greatest(where, count, "looking for values that need a double",
                             [=] __device__(index_t i) -> index_t {
                               const double widened = static_cast<float>(values[i]);
                               return __double_as_longlong(widened) !=
                                      __double_as_longlong(values[i]);
                             });
}

}  // namespace gossamer::device
