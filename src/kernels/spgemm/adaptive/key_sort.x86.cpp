// The sorts of an x86-64: networks in AVX-512 and AVX2 where the processor has them.
#include "kernels/spgemm/adaptive/key_network.hpp"

namespace gossamer {

namespace {

[[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] void sort_avx512(std::uint32_t* keys,
                                                                       index_t count) {
  detail::key_network<16>::sort_any(keys, count);
}
[[gnu::target("avx2")]] void sort_avx2(std::uint32_t* keys, index_t count) {
  detail::key_network<8>::sort_any(keys, count);
}

}  // namespace

std::vector<key_sorter> key_sorters() {
  std::vector<key_sorter> all{detail::sort_portably};
  if (__builtin_cpu_supports("avx2")) all.push_back(sort_avx2);
  if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq"))
    all.push_back(sort_avx512);
  return all;
}

}  // namespace gossamer
