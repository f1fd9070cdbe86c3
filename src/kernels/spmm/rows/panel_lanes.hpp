// Rows times panels of dense columns on an x86-64: 64 bytes of columns a vector with AVX-512, 32
// with AVX2 and where there are no more columns, the last columns under a mask. Included by the
// files that compile it, one for each value type.
#pragma once

#include "kernels/simd/avx512.hpp"
#include "kernels/simd/first_lanes.hpp"
#include "kernels/spmm/rows/panel_tiles.hpp"

namespace gossamer {

namespace detail {

/// Half a vector of AVX-512, with its masks.
template <class T>
struct half_wide;
template <>
struct half_wide<double> {
  static constexpr index_t size = 4;
  using vector = __m256d;
  using mask = __mmask8;
  [[gnu::always_inline, GOSSAMER_AVX512]] static mask first(index_t n) {
    return static_cast<mask>((1u << n) - 1);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector zero() { return _mm256_setzero_pd(); }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector load(const double* from) {
    return _mm256_loadu_pd(from);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector load(const double* from, mask live) {
    return _mm256_maskz_loadu_pd(live, from);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static void store(double* to, vector v) {
    _mm256_storeu_pd(to, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static void store(double* to, vector v, mask live) {
    _mm256_mask_storeu_pd(to, live, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static void stream(double* to, vector v) {
    _mm256_stream_pd(to, v);
  }
};
template <>
struct half_wide<float> {
  static constexpr index_t size = 8;
  using vector = __m256;
  using mask = __mmask8;
  [[gnu::always_inline, GOSSAMER_AVX512]] static mask first(index_t n) {
    return static_cast<mask>((1u << n) - 1);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector zero() { return _mm256_setzero_ps(); }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector load(const float* from) {
    return _mm256_loadu_ps(from);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector load(const float* from, mask live) {
    return _mm256_maskz_loadu_ps(live, from);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static void store(float* to, vector v) {
    _mm256_storeu_ps(to, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static void store(float* to, vector v, mask live) {
    _mm256_mask_storeu_ps(to, live, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static void stream(float* to, vector v) {
    _mm256_stream_ps(to, v);
  }
};

template <class T, class Vectors>
struct avx512_lanes {
  using value = T;
  using w = Vectors;
  using vector = typename w::vector;
  using mask = typename w::mask;
  static constexpr index_t size = w::size;
  [[GOSSAMER_AVX512]] static inline void first(index_t n, mask& to) { to = w::first(n); }
  [[GOSSAMER_AVX512]] static inline void clear(vector& to) { to = w::zero(); }
  [[GOSSAMER_AVX512]] static inline void load(vector& to, const T* b) {
    to = w::load(b);
    asm("" : "+v"(to));  // or it would be loaded once for every addition
  }
  [[GOSSAMER_AVX512]] static inline void load(vector& to, const T* b, const mask& live) {
    to = w::load(b, live);
  }
  [[GOSSAMER_AVX512]] static inline void add(vector& to, T value, const vector& b) {
    to += value * b;
  }
  [[GOSSAMER_AVX512]] static inline void add(vector& to, T value, const T* b) {
    to += value * w::load(b);
  }
  [[GOSSAMER_AVX512]] static inline void add(vector& to, T value, const T* b, const mask& live) {
    to += value * w::load(b, live);
  }
  [[GOSSAMER_AVX512]] static inline void join(vector& to, const vector& other) { to += other; }
  [[GOSSAMER_AVX512]] static inline void store(const vector& from, T alpha, T* c) {
    w::store(c, alpha * from);
  }
  [[GOSSAMER_AVX512]] static inline void store(const vector& from, T alpha, T* c,
                                               const mask& live) {
    w::store(c, alpha * from, live);
  }
  [[GOSSAMER_AVX512]] static inline void update(const vector& from, T alpha, T beta, T* c) {
    w::store(c, alpha * from + beta * w::load(c));
  }
  [[GOSSAMER_AVX512]] static inline void update(const vector& from, T alpha, T beta, T* c,
                                                const mask& live) {
    w::store(c, alpha * from + beta * w::load(c, live), live);
  }
  [[GOSSAMER_AVX512]] static inline void stream(const vector& from, T alpha, T* c) {
    w::stream(c, alpha * from);
  }
};

struct avx2_double {
  using vector = __m256d;
  [[gnu::always_inline, GOSSAMER_AVX2_FMA]] static vector load(const double* from) {
    return _mm256_loadu_pd(from);
  }
  [[gnu::always_inline, GOSSAMER_AVX2_FMA]] static vector load(const double* from, __m256i live) {
    return _mm256_maskload_pd(from, live);
  }
  [[gnu::always_inline, GOSSAMER_AVX2_FMA]] static void store(double* to, vector v) {
    _mm256_storeu_pd(to, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX2_FMA]] static void store(double* to, vector v, __m256i live) {
    _mm256_maskstore_pd(to, live, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX2_FMA]] static void stream(double* to, vector v) {
    _mm256_stream_pd(to, v);
  }
};
struct avx2_float {
  using vector = __m256;
  [[gnu::always_inline, GOSSAMER_AVX2_FMA]] static vector load(const float* from) {
    return _mm256_loadu_ps(from);
  }
  [[gnu::always_inline, GOSSAMER_AVX2_FMA]] static vector load(const float* from, __m256i live) {
    return _mm256_maskload_ps(from, live);
  }
  [[gnu::always_inline, GOSSAMER_AVX2_FMA]] static void store(float* to, vector v) {
    _mm256_storeu_ps(to, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX2_FMA]] static void store(float* to, vector v, __m256i live) {
    _mm256_maskstore_ps(to, live, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX2_FMA]] static void stream(float* to, vector v) {
    _mm256_stream_ps(to, v);
  }
};

template <class T>
struct avx2_lanes {
  using value = T;
  using w = std::conditional_t<sizeof(T) == 8, avx2_double, avx2_float>;
  using vector = typename w::vector;
  using mask = __m256i;
  static constexpr index_t size = 32 / sizeof(T);
  [[GOSSAMER_AVX2_FMA]] static inline void first(index_t n, mask& to) {
    to = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(detail::first_lanes<T>(n)));
  }
  [[GOSSAMER_AVX2_FMA]] static inline void clear(vector& to) { to = vector{}; }
  [[GOSSAMER_AVX2_FMA]] static inline void load(vector& to, const T* b) {
    to = w::load(b);
    asm("" : "+x"(to));  // or it would be loaded once for every addition
  }
  [[GOSSAMER_AVX2_FMA]] static inline void load(vector& to, const T* b, const mask& live) {
    to = w::load(b, live);
  }
  [[GOSSAMER_AVX2_FMA]] static inline void add(vector& to, T value, const vector& b) {
    to += value * b;
  }
  [[GOSSAMER_AVX2_FMA]] static inline void add(vector& to, T value, const T* b) {
    to += value * w::load(b);
  }
  [[GOSSAMER_AVX2_FMA]] static inline void add(vector& to, T value, const T* b, const mask& live) {
    to += value * w::load(b, live);
  }
  [[GOSSAMER_AVX2_FMA]] static inline void join(vector& to, const vector& other) { to += other; }
  [[GOSSAMER_AVX2_FMA]] static inline void store(const vector& from, T alpha, T* c) {
    w::store(c, alpha * from);
  }
  [[GOSSAMER_AVX2_FMA]] static inline void store(const vector& from, T alpha, T* c,
                                                 const mask& live) {
    w::store(c, alpha * from, live);
  }
  [[GOSSAMER_AVX2_FMA]] static inline void update(const vector& from, T alpha, T beta, T* c) {
    w::store(c, alpha * from + beta * w::load(c));
  }
  [[GOSSAMER_AVX2_FMA]] static inline void update(const vector& from, T alpha, T beta, T* c,
                                                  const mask& live) {
    w::store(c, alpha * from + beta * w::load(c, live), live);
  }
  [[GOSSAMER_AVX2_FMA]] static inline void stream(const vector& from, T alpha, T* c) {
    w::stream(c, alpha * from);
  }
};

template <class T, class I>
[[GOSSAMER_AVX2_FMA]] void multiply_avx2(const row_block<T, I>& a, const row_panel<T>& d) {
  detail::multiply_panel<avx2_lanes<T>>(a, d);
}
template <class T, class I>
[[GOSSAMER_AVX512]] void multiply_avx512(const row_block<T, I>& a, const row_panel<T>& d) {
  using half = avx512_lanes<T, half_wide<T>>;
  if (d.columns <= half::size)
    detail::multiply_narrow<half>(a, d);
  else
    detail::multiply_panel<avx512_lanes<T, detail::wide<T>>>(a, d);
}

}  // namespace detail

template <class T, class I>
variants<panel_function<T, I>> panel_functions() {
  return {.portable = detail::multiply_panel_plain<T, I>,
          .avx2 = detail::multiply_avx2<T, I>,
          .avx512 = detail::multiply_avx512<T, I>};
}

}  // namespace gossamer
