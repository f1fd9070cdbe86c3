// The extensions of each level, as an attribute for the functions that use them: [[GOSSAMER_AVX2]].
// base/simd_level.x86.cpp asks the processor for exactly these. Macros, because an attribute takes
// a literal.
#pragma once

/// The avx2 level without fused multiply-add: the bits of sums are those of plain loops.
#define GOSSAMER_AVX2 gnu::target("avx2,bmi,bmi2")
/// The avx2 level; the compiler may fuse a multiplication with an addition.
#define GOSSAMER_AVX2_FMA gnu::target("avx2,fma,bmi,bmi2")
/// The avx512 level; the compiler may fuse a multiplication with an addition.
#define GOSSAMER_AVX512 gnu::target("avx512f,avx512vl,avx512dq,avx512bw,bmi,bmi2")
