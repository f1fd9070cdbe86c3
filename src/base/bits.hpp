// Counting bits of indices.
#pragma once

#include <bit>
#include <cstdint>

#include "gossamer/types.hpp"

namespace gossamer {

/// Bits needed for numbers below n.
inline int bits_below(index_t n) {
  return n <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

}  // namespace gossamer
