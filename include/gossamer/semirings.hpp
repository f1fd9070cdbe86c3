// The arithmetic of sparse products: semirings as types. A sum starts at identity(), the neutral
// element of add(); terms are added in the order of A's and B's nonzeros. Write one of your own for
// multiply_over (gossamer/over_semiring.hpp).
#pragma once

#include <limits>

#include "gossamer/complex.hpp"

namespace gossamer::semirings {

/// Ordinary arithmetic, the only one of complex values.
template <class T>
struct plus_times {
  static constexpr T identity() { return 0; }
  static T multiply(T a, T b) { return gossamer::times(a, b); }
  static void add(T& sum, T product) { sum += product; }
};

/// Shortest paths. NaN is absorbing: a sum that is NaN stays NaN, and a NaN term makes the sum NaN.
/// Written so that each operation is one instruction without a branch.
template <class T>
struct min_plus {
  static constexpr T identity() { return std::numeric_limits<T>::infinity(); }
  static T multiply(T a, T b) { return a + b; }
  static void add(T& sum, T product) {
    if (sum == sum) sum = sum < product ? sum : product;
  }
};

/// Longest paths; NaN is absorbing as in min_plus.
template <class T>
struct max_plus {
  static constexpr T identity() { return -std::numeric_limits<T>::infinity(); }
  static T multiply(T a, T b) { return a + b; }
  static void add(T& sum, T product) {
    if (sum == sum) sum = sum > product ? sum : product;
  }
};

/// Reachability: 1 where any pair of nonzero values meets. NaN is not zero, hence true.
template <class T>
struct or_and {
  static constexpr T identity() { return 0; }
  static T multiply(T a, T b) { return static_cast<T>((a != T{0}) & (b != T{0})); }
  static void add(T& sum, T product) { sum = product > sum ? product : sum; }
};

/// Counts the pairs of nonzeros that meet, whatever their values.
template <class T>
struct plus_pair {
  static constexpr T identity() { return 0; }
  static T multiply(T, T) { return 1; }
  static void add(T& sum, T product) { sum += product; }
};

// Those below are compiled for one accumulator only, which `rare` says.

/// 1 wherever any pair of nonzeros meets: the pattern of the product.
template <class T>
struct any_pair {
  static constexpr bool rare = true;
  static constexpr T identity() { return 0; }
  static T multiply(T, T) { return 1; }
  static void add(T& sum, T product) { sum = product; }
};

/// What two values give, beside plus and pair.
template <class T>
struct first {
  static T multiply(T a, T) { return a; }
};
template <class T>
struct second {
  static T multiply(T, T b) { return b; }
};
template <class T>
struct times {
  static T multiply(T a, T b) { return a * b; }
};
/// The smaller of two; NaN if one is.
template <class T>
struct lesser {
  static T multiply(T a, T b) { return a != a || a < b ? a : b; }
};

/// Sums by plus, min and max of what Multiply gives.
template <class T, template <class> class Multiply>
struct sum_of : Multiply<T> {
  static constexpr bool rare = true;
  static constexpr T identity() { return 0; }
  static void add(T& sum, T product) { sum += product; }
};
template <class T, template <class> class Multiply>
struct min_of : Multiply<T> {
  static constexpr bool rare = true;
  static constexpr T identity() { return min_plus<T>::identity(); }
  static void add(T& sum, T product) { min_plus<T>::add(sum, product); }
};
template <class T, template <class> class Multiply>
struct max_of : Multiply<T> {
  static constexpr bool rare = true;
  static constexpr T identity() { return max_plus<T>::identity(); }
  static void add(T& sum, T product) { max_plus<T>::add(sum, product); }
};

template <class T>
struct plus_first : sum_of<T, first> {};
template <class T>
struct plus_second : sum_of<T, second> {};
template <class T>
struct min_first : min_of<T, first> {};
template <class T>
struct min_second : min_of<T, second> {};
template <class T>
struct max_first : max_of<T, first> {};
template <class T>
struct max_second : max_of<T, second> {};
template <class T>
struct min_times : min_of<T, times> {};
template <class T>
struct max_times : max_of<T, times> {};
template <class T>
struct max_min : max_of<T, lesser> {};

template <class Semiring>
constexpr bool is_rare = requires {
  Semiring::rare;
};

}  // namespace gossamer::semirings
