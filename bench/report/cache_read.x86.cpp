#include "bench/report/cache_read.hpp"
#include "kernels/simd/targets.hpp"

namespace gossamer::bench {

namespace {

[[GOSSAMER_AVX2]] std::uint64_t read_avx2(const char* from, index_t bytes) {
  return detail::sum_of(from, bytes);
}
[[GOSSAMER_AVX512]] std::uint64_t read_avx512(const char* from, index_t bytes) {
  return detail::sum_of(from, bytes);
}

}  // namespace

variants<cache_reader> cache_readers() { return {detail::read_portable, read_avx2, read_avx512}; }

}  // namespace gossamer::bench
