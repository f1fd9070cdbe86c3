// AVX-512 as several kernels use it: functions of one instruction each, so that one template serves
// float and double; sums and products are plain + and *, which the compiler fuses. Lanes that are
// masked out are zero, and nothing is read for them. Only [[GOSSAMER_AVX512]] functions may call
// these.
#pragma once

#include <immintrin.h>

#include "gossamer/types.hpp"
#include "kernels/simd/targets.hpp"

namespace gossamer::detail {

template <class T>
struct wide;

template <>
struct wide<double> {
  static constexpr index_t size = 8;
  using vector = __m512d;
  using mask = __mmask8;
  [[gnu::always_inline, GOSSAMER_AVX512]] static mask first(index_t n) {
    return static_cast<mask>(_bzhi_u32(0xff, static_cast<unsigned>(n < size ? n : size)));
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector zero() { return _mm512_setzero_pd(); }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector load(const double* from, mask live) {
    return _mm512_maskz_loadu_pd(live, from);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector load(const double* from) {
    return _mm512_loadu_pd(from);
  }
  /// Converts floats to doubles.
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector load(const float* from) {
    return _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(from));
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static void store(double* to, vector v) {
    _mm512_storeu_pd(to, v);
  }
  /// Writes past the caches; `to` is aligned to 64 bytes.
  [[gnu::always_inline, GOSSAMER_AVX512]] static void stream(double* to, vector v) {
    _mm512_stream_pd(to, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector gather(const double* x,
                                                               const std::int32_t* columns,
                                                               mask live) {
    const __m256i at = _mm256_maskz_loadu_epi32(live, columns);
    return _mm512_mask_i32gather_pd(zero(), live, at, x, 8);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector gather(const double* x,
                                                               const std::uint16_t* columns,
                                                               mask live) {
    const __m256i at = _mm256_cvtepu16_epi32(_mm_maskz_loadu_epi16(live, columns));
    return _mm512_mask_i32gather_pd(zero(), live, at, x, 8);
  }
  /// The lanes of `among` whose column is not padding.
  [[gnu::always_inline, GOSSAMER_AVX512]] static mask used(const std::int32_t* columns,
                                                           mask among) {
    const __m256i at = _mm256_maskz_loadu_epi32(among, columns);
    return _mm256_mask_cmpneq_epi32_mask(among, at, _mm256_set1_epi32(-1));
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static void store(double* to, vector v, mask live) {
    _mm512_mask_storeu_pd(to, live, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static double total(vector v) {
    const auto half =
        __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
    return (half[0] + half[1]) + (half[2] + half[3]);
  }
};

template <>
struct wide<float> {
  static constexpr index_t size = 16;
  using vector = __m512;
  using mask = __mmask16;
  [[gnu::always_inline, GOSSAMER_AVX512]] static mask first(index_t n) {
    return static_cast<mask>(_bzhi_u32(0xffff, static_cast<unsigned>(n < size ? n : size)));
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector zero() { return _mm512_setzero_ps(); }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector load(const float* from, mask live) {
    return _mm512_maskz_loadu_ps(live, from);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector load(const float* from) {
    return _mm512_loadu_ps(from);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static void store(float* to, vector v) {
    _mm512_storeu_ps(to, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static void stream(float* to, vector v) {
    _mm512_stream_ps(to, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector gather(const float* x,
                                                               const std::int32_t* columns,
                                                               mask live) {
    const __m512i at = _mm512_maskz_loadu_epi32(live, columns);
    return _mm512_mask_i32gather_ps(zero(), live, at, x, 4);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static vector gather(const float* x,
                                                               const std::uint16_t* columns,
                                                               mask live) {
    const __m512i at = _mm512_maskz_cvtepu16_epi32(live, _mm256_maskz_loadu_epi16(live, columns));
    return _mm512_mask_i32gather_ps(zero(), live, at, x, 4);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static mask used(const std::int32_t* columns,
                                                           mask among) {
    const __m512i at = _mm512_maskz_loadu_epi32(among, columns);
    return _mm512_mask_cmpneq_epi32_mask(among, at, _mm512_set1_epi32(-1));
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static void store(float* to, vector v, mask live) {
    _mm512_mask_storeu_ps(to, live, v);
  }
  [[gnu::always_inline, GOSSAMER_AVX512]] static float total(vector v) {
    const auto half = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                      __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
    const auto fourth = __builtin_shufflevector(half, half, 0, 1, 2, 3) +
                        __builtin_shufflevector(half, half, 4, 5, 6, 7);
    return (fourth[0] + fourth[1]) + (fourth[2] + fourth[3]);
  }
};

}  // namespace gossamer::detail
