// Selecting the variant of a function by the level of vector instructions
// (docs/adr/0010-one-simd-layer.md). A part NAME with vector instructions declares
// one function that returns its variants; NAME.x86.cpp defines it with all of them,
// NAME.portable.cpp with the portable one. Callers select once, outside of their loops.
#pragma once

#include <vector>

#include "base/simd_level.hpp"

namespace gossamer {

/// One function, written for several levels; null where it is not. Variants may differ in the bits
/// of a sum, so results are bitwise reproducible within one level.
template <class Function>
struct variants {
  Function portable = nullptr;
  Function avx2 = nullptr;
  Function avx512 = nullptr;
};

/// The widest variant up to `level`; null where there is none, not even a portable one.
template <class Function>
Function select(const variants<Function>& of, simd_level level = simd().used()) {
  if (of.avx512 && level >= simd_level::avx512) return of.avx512;
  if (of.avx2 && level >= simd_level::avx2) return of.avx2;
  return of.portable;
}

/// Every variant that can run in this process, the widest last; tests compare them.
template <class Function>
std::vector<Function> usable(const variants<Function>& of) {
  std::vector<Function> found;
  for (const auto level : {simd_level::portable, simd_level::avx2, simd_level::avx512}) {
    if (level > simd().used()) break;
    const Function one = select(of, level);
    if (one && (found.empty() || found.back() != one)) found.push_back(one);
  }
  return found;
}

}  // namespace gossamer
