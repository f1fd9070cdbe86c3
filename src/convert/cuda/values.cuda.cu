#include "backends/cuda/launch.cuh"
#include "convert/values.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"

namespace gossamer::cuda {

template <scalar T, scalar From>
void cast_values(const context& where, const From* from, T* to, index_t count) {
  const device_guard on(where);
  for_each(where, count, "converting values",
           [=] __device__(index_t p) { to[p] = cast<T>(from[p]); });
}

template <complex_scalar T>
void conjugate_values(const context& where, T* values, index_t count) {
  const device_guard on(where);
  for_each(where, count, "conjugating values",
           [=] __device__(index_t p) { values[p] = conjugated_if(true, values[p]); });
}

#define GOSSAMER_INSTANTIATE(T)                                         \
  template void conjugate_values(const context&, T*, index_t);          \
  template void cast_values(const context&, const float*, T*, index_t); \
  template void cast_values(const context&, const double*, T*, index_t);
GOSSAMER_EACH_COMPLEX(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE
template void cast_values(const context&, const float*, double*, index_t);
template void cast_values(const context&, const double*, float*, index_t);
template void cast_values(const context&, const std::complex<float>*, std::complex<double>*,
                          index_t);
template void cast_values(const context&, const std::complex<double>*, std::complex<float>*,
                          index_t);

}  // namespace gossamer::cuda
