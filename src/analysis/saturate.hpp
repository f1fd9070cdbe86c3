// Byte counts that stop at the largest 64-bit number instead of wrapping: "at least this much".
#pragma once

#include <limits>

#include "gossamer/types.hpp"

namespace gossamer::analysis {

/// A count >= 0 with saturating + and *.
struct amount {
  index_t value = 0;

  static constexpr index_t most = std::numeric_limits<index_t>::max();

  friend constexpr amount operator+(amount a, amount b) {
    index_t sum = 0;
    return {__builtin_add_overflow(a.value, b.value, &sum) ? most : sum};
  }
  friend constexpr amount operator*(amount a, amount b) {
    index_t product = 0;
    return {__builtin_mul_overflow(a.value, b.value, &product) ? most : product};
  }
  friend constexpr bool operator==(amount, amount) = default;
};

}  // namespace gossamer::analysis
