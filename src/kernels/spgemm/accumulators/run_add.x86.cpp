// Adding runs of consecutive columns on an x86-64 with AVX2.
#include <cstring>

#include "kernels/simd/first_lanes.hpp"
#include "kernels/simd/targets.hpp"
#include "kernels/spgemm/accumulators/column_runs.hpp"

namespace gossamer {

namespace {

template <class T>
constexpr index_t width = 32 / sizeof(T);

/// Without fused multiply-add, so results are bitwise those of plain loops. The end of a run is
/// added as a whole vector with zeros after the run: sums that started at zero are never -0, and
/// anything else plus zero is unchanged.
template <class T>
[[GOSSAMER_AVX2]] void add_runs_avx2(const column_run* runs, index_t count, const T* values,
                                     const T* last_value, T factor, T* sums) {
  typedef T vector __attribute__((vector_size(32)));
  typedef detail::lane_bits<T> mask __attribute__((vector_size(32)));
  for (index_t r = 0; r < count; ++r) {
    T* to = sums + runs[r].first;
    index_t length = runs[r].length;
    vector sum, value;
    for (; length >= width<T>; length -= width<T>, to += width<T>, values += width<T>) {
      std::memcpy(&value, values, sizeof value);
      std::memcpy(&sum, to, sizeof sum);
      sum += value * factor;
      std::memcpy(to, &sum, sizeof sum);
    }
    if (length == 0) continue;
    if (last_value - values >= width<T>) {
      mask kept;
      std::memcpy(&kept, detail::first_lanes<T>(length), sizeof kept);
      std::memcpy(&value, values, sizeof value);
      std::memcpy(&sum, to, sizeof sum);
      sum += reinterpret_cast<vector>(reinterpret_cast<mask>(value * factor) & kept);
      std::memcpy(to, &sum, sizeof sum);
    } else {
      for (index_t k = 0; k < length; ++k) to[k] += factor * values[k];
    }
    values += length;
  }
}

}  // namespace

template <class T>
variants<run_adder<T>> run_adders() {
  return {.avx2 = add_runs_avx2<T>};
}
template variants<run_adder<float>> run_adders();
template variants<run_adder<double>> run_adders();

}  // namespace gossamer
