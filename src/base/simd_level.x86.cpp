// The level of an x86-64. A level takes all of the extensions that kernels/simd/targets.hpp names
// for it: avx2 is what processors have since Haswell and Zen (x86-64-v3), avx512 what they have
// since Skylake-X and Zen 4 (x86-64-v4).
#include "base/simd_level.hpp"

namespace gossamer {

simd_level processor_simd() {
  if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")))
    return simd_level::portable;
  if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")))
    return simd_level::avx2;
  return simd_level::avx512;
}

}  // namespace gossamer
