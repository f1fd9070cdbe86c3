// The paths of an x86-64: AVX-512 and AVX2 where the processor has them. Only the functions marked
// with a target use these instructions; the rest of the file is for every x86-64.
#include <immintrin.h>

#include "kernels/spgemm/hashvec/bucket_locate.hpp"

namespace gossamer {

namespace {

struct avx512_lanes_32 {
  static constexpr unsigned count = 16;
  [[gnu::target("avx512f,bmi")]] static inline unsigned equal(const std::int32_t* bucket,
                                                              std::int32_t key) {
    return _mm512_cmpeq_epi32_mask(_mm512_load_si512(bucket), _mm512_set1_epi32(key));
  }
};
struct avx512_lanes_64 {
  static constexpr unsigned count = 8;
  [[gnu::target("avx512f,bmi")]] static inline unsigned equal(const std::int64_t* bucket,
                                                              std::int64_t key) {
    return _mm512_cmpeq_epi64_mask(_mm512_load_si512(bucket), _mm512_set1_epi64(key));
  }
};
struct avx2_lanes_32 {
  static constexpr unsigned count = 8;
  [[gnu::target("avx2,bmi")]] static inline unsigned equal(const std::int32_t* bucket,
                                                           std::int32_t key) {
    const auto lanes = _mm256_load_si256(reinterpret_cast<const __m256i*>(bucket));
    const auto same = _mm256_cmpeq_epi32(lanes, _mm256_set1_epi32(key));
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
  }
};
struct avx2_lanes_64 {
  static constexpr unsigned count = 4;
  [[gnu::target("avx2,bmi")]] static inline unsigned equal(const std::int64_t* bucket,
                                                           std::int64_t key) {
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
[[gnu::target("avx512f,bmi")]] void locate_avx512(bucket_arrays<I>& table, const I* columns,
                                                  index_t count,
                                                  typename bucket_probe<I>::slot* slots) {
  detail::locate_all<avx512_lanes<I>>(table, columns, count, slots);
}
template <class I>
[[gnu::target("avx2,bmi")]] void locate_avx2(bucket_arrays<I>& table, const I* columns,
                                             index_t count, typename bucket_probe<I>::slot* slots) {
  detail::locate_all<avx2_lanes<I>>(table, columns, count, slots);
}

}  // namespace

std::vector<probe_path> probe_paths() {
  std::vector<probe_path> paths{probe_path::portable};
  const bool bmi = __builtin_cpu_supports("bmi");
  if (bmi && __builtin_cpu_supports("avx2")) paths.push_back(probe_path::avx2);
  if (bmi && __builtin_cpu_supports("avx512f")) paths.push_back(probe_path::avx512);
  return paths;
}

template <class I>
bucket_probe<I> probe_by(probe_path path) {
  switch (path) {
    case probe_path::avx512: return {locate_avx512<I>};
    case probe_path::avx2: return {locate_avx2<I>};
    case probe_path::portable: break;
  }
  return {detail::locate_portable<I>};
}
template bucket_probe<std::int32_t> probe_by(probe_path);
template bucket_probe<std::int64_t> probe_by(probe_path);

}  // namespace gossamer
