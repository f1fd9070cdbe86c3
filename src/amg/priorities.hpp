// Random priorities of the maximal independent set: they depend on seed, round and node alone.
#pragma once

#include <cstdint>
#include <limits>

#include "gossamer/types.hpp"

namespace gossamer::amg {

using priority = std::uint64_t;
inline constexpr priority in_set = 0, out_of_set = std::numeric_limits<priority>::max();
inline constexpr int most_rounds = 200;  // a symmetric graph takes about ten

inline priority mix(priority x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Random in the upper half, and different for each node: never in_set nor out_of_set.
inline priority draw(priority salt, index_t node) {
  constexpr priority upper = 0xffffffff00000000u;
  return (mix(salt ^ static_cast<priority>(node)) & upper) | static_cast<priority>(node + 1);
}

/// What the priorities of a round are drawn with.
inline priority salt_of(std::uint64_t seed, int round) {
  return mix(seed + 0x1000u * static_cast<priority>(round));
}

}  // namespace gossamer::amg
