// No vector variant: rows with a pattern add one multiplication at a time.
#include "kernels/spgemm/adaptive/row_pattern.hpp"

namespace gossamer {

template <class T, class J>
variants<step_filler<T, J>> step_fillers() {
  return {};
}
template variants<step_filler<float, std::int32_t>> step_fillers();
template variants<step_filler<float, std::int64_t>> step_fillers();
template variants<step_filler<double, std::int32_t>> step_fillers();
template variants<step_filler<double, std::int64_t>> step_fillers();

}  // namespace gossamer
