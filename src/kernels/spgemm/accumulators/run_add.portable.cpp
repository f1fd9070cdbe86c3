// No vector variant: callers add nonzeros one by one.
#include "kernels/spgemm/accumulators/column_runs.hpp"

namespace gossamer {

template <class T>
variants<run_adder<T>> run_adders() {
  return {};
}
template variants<run_adder<float>> run_adders();
template variants<run_adder<double>> run_adders();

}  // namespace gossamer
