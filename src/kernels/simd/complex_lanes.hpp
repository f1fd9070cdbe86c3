// Complex numbers in vectors, [re im re im ...]. A product is kept as two sums, of re(a) x and of
// im(a) x, so that a loop multiplies and adds and nothing is shuffled in it; combine() makes
// complex numbers of them at the end, and the conjugate of a costs a sign there. Vectors of the
// compiler, always inlined: a function with a target attribute gets the instructions of that
// target.
#pragma once

#include <cstring>
#include <utility>

#include "gossamer/complex.hpp"

// Vectors are returned by functions that are always inlined: there is no calling convention to warn
// about.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace gossamer::detail {

template <complex_scalar T, int N>
struct complex_lanes {
  using real = real_of<T>;
  static constexpr int size = N;  ///< complex numbers
  typedef real vector __attribute__((vector_size(N * sizeof(T))));

  /// Two sums of N complex numbers each.
  vector by_real{}, by_imaginary{};

  [[gnu::always_inline]] static vector load(const T* from) {
    vector v;
    std::memcpy(&v, from, sizeof v);
    return v;
  }
  /// N elements of x.
  template <class I>
  [[gnu::always_inline]] static vector gather(const T* x, const I* columns) {
    if constexpr (N == 1) {
      return load(x + columns[0]);
    } else {
      using half = complex_lanes<T, N / 2>;
      return joined(half::gather(x, columns), half::gather(x, columns + N / 2),
                    std::make_integer_sequence<int, 2 * N>{});
    }
  }
  /// Adds the products of N values of A with N numbers.
  [[gnu::always_inline]] void add(vector values, vector x) {
    const auto lanes = std::make_integer_sequence<int, 2 * N>{};
    by_real += even(values, lanes) * x;
    by_imaginary += odd(values, lanes) * x;
  }
  /// Adds the products of one value of A with N numbers.
  [[gnu::always_inline]] void add(real re, real im, vector x) {
    by_real += re * x;
    by_imaginary += im * x;
  }
  [[gnu::always_inline]] void add(const complex_lanes& other) {
    by_real += other.by_real;
    by_imaginary += other.by_imaginary;
  }
  /// re(a) x + im(a) i x, or with the conjugate of a.
  [[gnu::always_inline]] vector combined(bool conjugated) const {
    const auto lanes = std::make_integer_sequence<int, 2 * N>{};
    const vector turned = swapped(by_imaginary, lanes) * signs(lanes);
    return conjugated ? by_real - turned : by_real + turned;
  }
  /// The sum of the N complex numbers.
  [[gnu::always_inline]] T total(bool conjugated) const {
    const vector all = combined(conjugated);
    real re = 0, im = 0;
    for (int k = 0; k < N; ++k) re += all[2 * k], im += all[2 * k + 1];
    return {re, im};
  }

 private:
  template <class Half, int... K>
  [[gnu::always_inline]] static vector joined(Half low, Half high,
                                              std::integer_sequence<int, K...>) {
    return __builtin_shufflevector(low, high, K...);
  }
  template <int... K>
  [[gnu::always_inline]] static vector even(vector v, std::integer_sequence<int, K...>) {
    return __builtin_shufflevector(v, v, (K & ~1)...);
  }
  template <int... K>
  [[gnu::always_inline]] static vector odd(vector v, std::integer_sequence<int, K...>) {
    return __builtin_shufflevector(v, v, (K | 1)...);
  }
  template <int... K>
  [[gnu::always_inline]] static vector swapped(vector v, std::integer_sequence<int, K...>) {
    return __builtin_shufflevector(v, v, (K ^ 1)...);
  }
  template <int... K>
  [[gnu::always_inline]] static vector signs(std::integer_sequence<int, K...>) {
    return vector{(K % 2 == 0 ? real{-1} : real{1})...};
  }
};

}  // namespace gossamer::detail
