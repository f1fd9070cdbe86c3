// Portable version: no vectors; callers add nonzeros one by one.
#include "kernels/spgemm/accumulators/column_runs.hpp"

namespace gossamer {

template <class T>
run_adder<T> fastest_run_adder() {
  return nullptr;
}
template run_adder<float> fastest_run_adder();
template run_adder<double> fastest_run_adder();

}  // namespace gossamer
