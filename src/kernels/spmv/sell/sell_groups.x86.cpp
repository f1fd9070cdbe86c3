// The product with a SELL layout on an x86-64: lanes under masks where there is AVX-512, in two
// halves where there is AVX2.
#include <utility>

#include "kernels/simd/avx512.hpp"
#include "kernels/spmv/sell/sell_lanes.hpp"

namespace gossamer {

namespace {

template <class T>
struct wide_lanes {
  using w = detail::wide<T>;
  using sums = typename w::vector;
  [[GOSSAMER_AVX512]] static inline void clear(sums& s) { s = w::zero(); }
  template <class V>
  [[GOSSAMER_AVX512]] static inline void add_straight(sums& s, const V* values, const T* x,
                                                      unsigned mask) {
    s += w::load(values) * w::load(x, static_cast<typename w::mask>(mask));
  }
  template <class V, class D>
  [[GOSSAMER_AVX512]] static inline void add_free(sums& s, const V* values, const T* x,
                                                  const D* distances, unsigned mask) {
    s += w::load(values) * w::gather(x, distances, static_cast<typename w::mask>(mask));
  }
  [[GOSSAMER_AVX512]] static inline void store(const sums& s, T* to) { w::store(to, s); }
};

/// 32 bytes of lanes, and floats widened to them.
[[gnu::always_inline, GOSSAMER_AVX2_FMA]] inline __m256d half(const double* from, double) {
  return _mm256_loadu_pd(from);
}
[[gnu::always_inline, GOSSAMER_AVX2_FMA]] inline __m256d half(const float* from, double) {
  return _mm256_cvtps_pd(_mm_loadu_ps(from));
}
[[gnu::always_inline, GOSSAMER_AVX2_FMA]] inline __m256 half(const float* from, float) {
  return _mm256_loadu_ps(from);
}

template <class T>
struct half_lanes {
  static constexpr int size = sell_lanes<T>, middle = size / 2;
  static constexpr unsigned full = (1u << size) - 1;
  using vector = decltype(half(static_cast<const T*>(nullptr), T{}));
  struct sums {
    vector low, high;
  };
  [[GOSSAMER_AVX2_FMA]] static inline void clear(sums& s) { s.low = s.high = vector{}; }
  template <class V>
  [[GOSSAMER_AVX2_FMA]] static inline void add(sums& s, const V* values, vector low, vector high) {
    s.low += half(values, T{}) * low;
    s.high += half(values + middle, T{}) * high;
  }
  /// x is put together in registers: loads would wait for stores narrower than themselves.
  template <class V, class Element, int... Lane>
  [[GOSSAMER_AVX2_FMA]] static inline void add_each(sums& s, const V* values, Element&& x,
                                                    std::integer_sequence<int, Lane...>) {
    add(s, values, vector{x(Lane)...}, vector{x(Lane + middle)...});
  }
  template <class V, class Element>
  [[GOSSAMER_AVX2_FMA]] static inline void add_some(sums& s, const V* values, unsigned mask,
                                                    Element&& x) {
    constexpr auto lanes = std::make_integer_sequence<int, middle>{};
    if (mask == full)
      add_each(s, values, x, lanes);
    else
      add_each(
          s, values, [&](int l) { return (mask >> l & 1u) != 0 ? x(l) : T{0}; }, lanes);
  }
  template <class V>
  [[GOSSAMER_AVX2_FMA]] static inline void add_straight(sums& s, const V* values, const T* x,
                                                        unsigned mask) {
    if (mask == full)
      add(s, values, half(x, T{}), half(x + middle, T{}));
    else
      add_some(s, values, mask, [&](int l) { return x[l]; });
  }
  template <class V, class D>
  [[GOSSAMER_AVX2_FMA]] static inline void add_free(sums& s, const V* values, const T* x,
                                                    const D* distances, unsigned mask) {
    add_some(s, values, mask, [&](int l) { return x[distances[l]]; });
  }
  [[GOSSAMER_AVX2_FMA]] static inline void store(const sums& s, T* to) {
    std::memcpy(to, &s, sizeof s);
  }
};

template <class T>
[[GOSSAMER_AVX2_FMA]] void multiply_fma(const sell_call<T>& call, range groups) {
  detail::multiply_groups<half_lanes<T>>(call, groups);
}
template <class T>
[[GOSSAMER_AVX512]] void multiply_512(const sell_call<T>& call, range groups) {
  detail::multiply_groups<wide_lanes<T>>(call, groups);
}

}  // namespace

template <class T>
variants<sell_multiplier<T>> sell_multipliers() {
  return {detail::multiply_groups<detail::plain_lanes<T>, T>, multiply_fma<T>, multiply_512<T>};
}
template variants<sell_multiplier<float>> sell_multipliers();
template variants<sell_multiplier<double>> sell_multipliers();

}  // namespace gossamer
