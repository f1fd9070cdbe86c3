// Portable version: no vectors; rows with a pattern add one multiplication at a time.
#include "kernels/spgemm/adaptive/row_pattern.hpp"

namespace gossamer {

template <class T, class J>
step_filler<T, J> fastest_step_filler() {
  return nullptr;
}
template step_filler<float, std::int32_t> fastest_step_filler();
template step_filler<float, std::int64_t> fastest_step_filler();
template step_filler<double, std::int32_t> fastest_step_filler();
template step_filler<double, std::int64_t> fastest_step_filler();

}  // namespace gossamer
