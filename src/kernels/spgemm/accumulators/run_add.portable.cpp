// A processor that is no x86-64 adds entry by entry.
#include "kernels/spgemm/accumulators/column_runs.hpp"

namespace gossamer {

template <class T>
run_adder<T> fastest_run_adder() {
  return nullptr;
}
template run_adder<float> fastest_run_adder();
template run_adder<double> fastest_run_adder();

}  // namespace gossamer
