// Addition and multiplication of the accumulators. A sum starts at identity(), the neutral element
// of add(); terms are added in the order of A's and B's nonzeros.
#pragma once

#include <limits>

#include "formats/complex.hpp"

namespace gossamer::semirings {

template <class T>
struct plus_times {
  static constexpr T identity() { return 0; }
  static T multiply(T a, T b) { return times(a, b); }
  static void add(T& sum, T product) { sum += product; }
};

/// NaN is absorbing: a sum that is NaN stays NaN, and a NaN term makes the sum NaN. Written so that
/// each operation is one instruction without a branch.
template <class T>
struct min_plus {
  static constexpr T identity() { return std::numeric_limits<T>::infinity(); }
  static T multiply(T a, T b) { return a + b; }
  static void add(T& sum, T product) {
    if (sum == sum) sum = sum < product ? sum : product;
  }
};

template <class T>
struct max_plus {
  static constexpr T identity() { return -std::numeric_limits<T>::infinity(); }
  static T multiply(T a, T b) { return a + b; }
  static void add(T& sum, T product) {
    if (sum == sum) sum = sum > product ? sum : product;
  }
};

/// NaN is not zero, hence true.
template <class T>
struct or_and {
  static constexpr T identity() { return 0; }
  static T multiply(T a, T b) { return static_cast<T>((a != T{0}) & (b != T{0})); }
  static void add(T& sum, T product) { sum = product > sum ? product : sum; }
};

template <class T>
struct plus_pair {
  static constexpr T identity() { return 0; }
  static T multiply(T, T) { return 1; }
  static void add(T& sum, T product) { sum += product; }
};

}  // namespace gossamer::semirings

namespace gossamer {

/// Calls f.template operator()<semirings::...>() for the semiring. Complex values have one.
template <class T = double, class F>
decltype(auto) with_semiring(semiring which, F&& f) {
  if constexpr (real_scalar<T>) {
    switch (which) {
      case semiring::min_plus: return f.template operator()<semirings::min_plus>();
      case semiring::max_plus: return f.template operator()<semirings::max_plus>();
      case semiring::or_and: return f.template operator()<semirings::or_and>();
      case semiring::plus_pair: return f.template operator()<semirings::plus_pair>();
      case semiring::plus_times: break;
    }
  }
  return f.template operator()<semirings::plus_times>();
}

}  // namespace gossamer
