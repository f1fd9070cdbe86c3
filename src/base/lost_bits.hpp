// Whether a double is exactly representable as a float.
#pragma once

#include <bit>
#include <cstdint>

namespace gossamer {

/// The bits that change when v becomes a float and a double again: 0 when nothing is lost, which
/// includes infinities, -0.0 and most quiet NaNs.
constexpr std::uint64_t lost_bits(double v) {
  return std::bit_cast<std::uint64_t>(v) ^
         std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(v)));
}

}  // namespace gossamer
