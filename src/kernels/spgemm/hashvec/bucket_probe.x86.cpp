// Searching buckets of keys with AVX2 and AVX-512.
#include <immintrin.h>

#include "kernels/simd/targets.hpp"
#include "kernels/spgemm/hashvec/bucket_locate.hpp"

namespace gossamer {

namespace {

struct avx512_lanes_32 {
  static constexpr unsigned count = 16;
  [[GOSSAMER_AVX512]] static inline unsigned equal(const std::int32_t* bucket, std::int32_t key) {
    return _mm512_cmpeq_epi32_mask(_mm512_load_si512(bucket), _mm512_set1_epi32(key));
  }
};
struct avx512_lanes_64 {
  static constexpr unsigned count = 8;
  [[GOSSAMER_AVX512]] static inline unsigned equal(const std::int64_t* bucket, std::int64_t key) {
    return _mm512_cmpeq_epi64_mask(_mm512_load_si512(bucket), _mm512_set1_epi64(key));
  }
};
struct avx2_lanes_32 {
  static constexpr unsigned count = 8;
  [[GOSSAMER_AVX2]] static inline unsigned equal(const std::int32_t* bucket, std::int32_t key) {
    const auto lanes = _mm256_load_si256(reinterpret_cast<const __m256i*>(bucket));
    const auto same = _mm256_cmpeq_epi32(lanes, _mm256_set1_epi32(key));
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
  }
};
struct avx2_lanes_64 {
  static constexpr unsigned count = 4;
  [[GOSSAMER_AVX2]] static inline unsigned equal(const std::int64_t* bucket, std::int64_t key) {
    const auto lanes = _mm256_load_si256(reinterpret_cast<const __m256i*>(bucket));
    const auto same = _mm256_cmpeq_epi64(lanes, _mm256_set1_epi64x(key));
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(same)));
  }
};

template <class I>
using avx512_lanes = std::conditional_t<sizeof(I) == 4, avx512_lanes_32, avx512_lanes_64>;
template <class I>
using avx2_lanes = std::conditional_t<sizeof(I) == 4, avx2_lanes_32, avx2_lanes_64>;

template <class I>
[[GOSSAMER_AVX512]] void locate_avx512(bucket_arrays<I>& table, const I* columns, index_t count,
                                       bucket_slot<I>* slots) {
  detail::locate_all<avx512_lanes<I>>(table, columns, count, slots);
}
template <class I>
[[GOSSAMER_AVX2]] void locate_avx2(bucket_arrays<I>& table, const I* columns, index_t count,
                                   bucket_slot<I>* slots) {
  detail::locate_all<avx2_lanes<I>>(table, columns, count, slots);
}

}  // namespace

template <class I>
variants<bucket_locator<I>> bucket_locators() {
  return {detail::locate_portable<I>, locate_avx2<I>, locate_avx512<I>};
}
template variants<bucket_locator<std::int32_t>> bucket_locators();
template variants<bucket_locator<std::int64_t>> bucket_locators();

}  // namespace gossamer
