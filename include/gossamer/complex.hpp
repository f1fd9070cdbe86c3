// Arithmetic that is written once for real and complex values. std::complex's own multiplication
// recovers infinities (C's Annex G), which takes a branch per product and a call; here a product is
// the textbook formula, as in NumPy, on the host and on devices.
#pragma once

#include "gossamer/types.hpp"

namespace gossamer {

/// a * b.
template <class T>
constexpr T times(const T& a, const T& b) {
  if constexpr (complex_scalar<T>)
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  else
    return a * b;
}

/// alpha * value for a scale factor: a real one scales both parts, so that 1 changes nothing, not
/// even infinities.
template <class T>
constexpr T scaled_value(const T& alpha, const T& value) {
  if constexpr (complex_scalar<T>)
    return alpha.imag() == 0 ? T{alpha.real() * value.real(), alpha.real() * value.imag()}
                             : times(alpha, value);
  else
    return alpha * value;
}

/// The conjugate of `value` if `conjugated`; real values stay as they are.
template <class T>
constexpr T conjugated_if(bool conjugated, const T& value) {
  if constexpr (complex_scalar<T>)
    return conjugated ? T{value.real(), -value.imag()} : value;
  else
    return value;
}

/// `value` in type T. The imaginary part of a complex value that becomes real is dropped.
template <class T, class From>
constexpr T cast(const From& value) {
  if constexpr (complex_scalar<T> && complex_scalar<From>)
    return {static_cast<real_of<T>>(value.real()), static_cast<real_of<T>>(value.imag())};
  else if constexpr (complex_scalar<From>)
    return static_cast<T>(value.real());
  else if constexpr (complex_scalar<T>)
    return {static_cast<real_of<T>>(value), real_of<T>{0}};
  else
    return static_cast<T>(value);
}

}  // namespace gossamer
