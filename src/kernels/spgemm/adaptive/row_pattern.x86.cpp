// Rows by patterns on an x86-64 with AVX-512.
//
// Every operation is masked, which keeps lanes without a product out of it (a factor may be
// infinite), reads nothing beyond a row, and keeps the compiler from fusing a multiplication with
// an addition.
#include <bit>

#include "kernels/simd/avx512.hpp"
#include "kernels/spgemm/adaptive/row_pattern.hpp"

namespace gossamer {

namespace {

struct double_lanes {
  static constexpr index_t count = 8;
  using vector = __m512d;
  using mask = __mmask8;
  [[GOSSAMER_AVX512]] static inline void add(vector& sums, mask to, const double* from,
                                             const double& factor) {
    const vector products =
        _mm512_maskz_mul_pd(to, _mm512_maskz_expandloadu_pd(to, from), _mm512_set1_pd(factor));
    sums = _mm512_mask_add_pd(sums, to, sums, products);
  }
  [[GOSSAMER_AVX512]] static inline void store(double* to, mask kept, const vector& sums,
                                               double alpha) {
    _mm512_mask_storeu_pd(to, kept, _mm512_mul_pd(sums, _mm512_set1_pd(alpha)));
  }
};

struct float_lanes {
  static constexpr index_t count = 16;
  using vector = __m512;
  using mask = __mmask16;
  [[GOSSAMER_AVX512]] static inline void add(vector& sums, mask to, const float* from,
                                             const float& factor) {
    const vector products =
        _mm512_maskz_mul_ps(to, _mm512_maskz_expandloadu_ps(to, from), _mm512_set1_ps(factor));
    sums = _mm512_mask_add_ps(sums, to, sums, products);
  }
  [[GOSSAMER_AVX512]] static inline void store(float* to, mask kept, const vector& sums,
                                               float alpha) {
    _mm512_mask_storeu_ps(to, kept, _mm512_mul_ps(sums, _mm512_set1_ps(alpha)));
  }
};

template <class T>
using lanes_of = std::conditional_t<sizeof(T) == 4, float_lanes, double_lanes>;

[[GOSSAMER_AVX512]] inline void write_columns(const std::int32_t* from, index_t count,
                                              std::int64_t base, std::int32_t* to) {
  const __m512i shift = _mm512_set1_epi32(static_cast<std::int32_t>(base));
  for (index_t k = 0; k < count; k += 16) {
    const auto kept = detail::wide<float>::first(count - k);
    const __m512i read = _mm512_maskz_loadu_epi32(kept, from + k);
    _mm512_mask_storeu_epi32(to + k, kept, _mm512_add_epi32(read, shift));
  }
}
[[GOSSAMER_AVX512]] inline void write_columns(const std::int32_t* from, index_t count,
                                              std::int64_t base, std::int64_t* to) {
  for (index_t k = 0; k < count; ++k) to[k] = base + from[k];
}

template <class T, class J>
[[GOSSAMER_AVX512]] void fill_avx512(const row_pattern& pattern, const T* factors,
                                     const T* const* rows, T alpha, std::int64_t base, J* columns,
                                     T* values) {
  using lanes = lanes_of<T>;
  using mask = typename lanes::mask;
  const index_t entries = pattern.entries();
  write_columns(pattern.columns.data(), entries, base, columns);
  const pattern_step *const steps = pattern.steps.data(), *step = steps;
  index_t at = 0;
  for (const std::uint32_t end : pattern.ends) {
    typename lanes::vector sums{};
    for (const auto* const last = steps + end; step != last; ++step) {
      const auto packed = std::bit_cast<std::uint64_t>(*step);  // one load for all of it
      const auto entry = packed & 0xFFFF;
      lanes::add(sums, static_cast<mask>(packed >> 32), rows[entry] + (packed >> 16 & 0xFFFF),
                 factors[entry]);
    }
    lanes::store(values + at, detail::wide<T>::first(entries - at), sums, alpha);
    at += lanes::count;
  }
}

}  // namespace

template <class T, class J>
variants<step_filler<T, J>> step_fillers() {
  return {.avx512 = fill_avx512<T, J>};
}
template variants<step_filler<float, std::int32_t>> step_fillers();
template variants<step_filler<float, std::int64_t>> step_fillers();
template variants<step_filler<double, std::int32_t>> step_fillers();
template variants<step_filler<double, std::int64_t>> step_fillers();

}  // namespace gossamer
