// Sums and products on a device that are rounded like those of the host: never fused.
#pragma once

#include "gossamer/types.hpp"

namespace gossamer::cuda {

__device__ inline float times(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double times(double a, double b) { return __dmul_rn(a, b); }
__device__ inline float plus(float a, float b) { return __fadd_rn(a, b); }
__device__ inline double plus(double a, double b) { return __dadd_rn(a, b); }

template <class R>
__device__ std::complex<R> times(const std::complex<R>& a, const std::complex<R>& b) {
  return {plus(times(a.real(), b.real()), -times(a.imag(), b.imag())),
          plus(times(a.real(), b.imag()), times(a.imag(), b.real()))};
}
template <class R>
__device__ std::complex<R> plus(const std::complex<R>& a, const std::complex<R>& b) {
  return {plus(a.real(), b.real()), plus(a.imag(), b.imag())};
}

/// alpha * value for a scale factor, as gossamer::scaled_value.
template <class T>
__device__ T scaled_value(const T& alpha, const T& value) {
  if constexpr (complex_scalar<T>)
    return alpha.imag() == 0
               ? T{times(alpha.real(), value.real()), times(alpha.real(), value.imag())}
               : times(alpha, value);
  else
    return times(alpha, value);
}

}  // namespace gossamer::cuda
