// Sorting networks in AVX2 and AVX-512.
#include "kernels/simd/targets.hpp"
#include "kernels/spgemm/adaptive/key_network.hpp"

namespace gossamer {

namespace {

[[GOSSAMER_AVX512]] void sort_avx512(std::uint32_t* keys, index_t count) {
  detail::key_network<16>::sort_any(keys, count);
}
[[GOSSAMER_AVX2]] void sort_avx2(std::uint32_t* keys, index_t count) {
  detail::key_network<8>::sort_any(keys, count);
}

}  // namespace

variants<key_sorter> key_sorters() { return {detail::sort_portably, sort_avx2, sort_avx512}; }

}  // namespace gossamer
