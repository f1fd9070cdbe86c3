// The value types of the package. A type that the library gains is one more entry of value_types.
#pragma once

#include <complex>
#include <string>
#include <type_traits>

#include "gossamer/gossamer.hpp"
#include "python.hpp"

namespace binding {

namespace gs = gossamer;

template <class... T>
struct type_list {};

/// The value types that arrays may hold.
using value_types = type_list<float, double, std::complex<float>, std::complex<double>>;

/// NumPy's character of a value type: dtype.char.
template <class T>
constexpr char code_of = '?';
template <>
inline constexpr char code_of<float> = 'f';
template <>
inline constexpr char code_of<double> = 'd';
template <>
inline constexpr char code_of<std::complex<float>> = 'F';
template <>
inline constexpr char code_of<std::complex<double>> = 'D';

namespace detail {
template <class... T>
std::string codes_of(type_list<T...>) {
  return {code_of<T>...};
}
}  // namespace detail

/// The dtypes of value_types, for messages.
inline constexpr const char* value_type_names = "float32, float64, complex64, complex128";

[[noreturn]] inline void refuse_values(const std::string& what, const std::string& dtype) {
  throw py::type_error(what + " holds " + dtype + "; Gossamer multiplies " + value_type_names +
                       ": convert it first, as in A.astype(numpy.float64)");
}

/// Whether a character is that of a value type.
inline bool is_value_code(char code) {
  return []<class... T>(char c, type_list<T...>) { return ((c == code_of<T>) || ...); }(
             code, value_types{});
}

namespace detail {
template <class F, class T, class... Rest>
auto with_value_type(char code, F& f, type_list<T, Rest...>) {
  if (code == code_of<T>) return f(std::type_identity<T>{});
  if constexpr (sizeof...(Rest) > 0)
    return with_value_type(code, f, type_list<Rest...>{});
  else
    refuse_values("an array", std::string("values of type '") + code + "'");
}
}  // namespace detail

/// Calls f(std::type_identity<T>{}) for the value type with this character; others throw TypeError.
template <class F>
auto with_value_type(char code, F&& f) {
  return detail::with_value_type(code, f, value_types{});
}

/// The same for the real ones, of which there are generators and hierarchies of multigrid.
template <class F>
auto with_real_type(char code, F&& f) {
  return detail::with_value_type(code, f, type_list<float, double>{});
}

/// A number from Python as a value of type T.
template <class T>
T number(const py::handle& from) {
  using wide = std::conditional_t<gs::complex_scalar<T>, std::complex<double>, double>;
  try {
    return gs::cast<T>(from.cast<wide>());
  } catch (const py::cast_error&) {
    throw py::type_error(py::repr(from).cast<std::string>() + " is no factor of " +
                         (gs::complex_scalar<T> ? "complex" : "real") + " values");
  }
}

}  // namespace binding
