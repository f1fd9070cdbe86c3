// Masks for the first lanes of a vector of 32 bytes, as the masked loads and stores of AVX2 take
// them: a register with all bits of a lane set.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "gossamer/types.hpp"

namespace gossamer::detail {

/// A mask of one lane of T.
template <class T>
using lane_bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// A vector of lanes that are set, then one of lanes that are not.
template <class T>
inline constexpr auto set_then_clear = [] {
  constexpr std::size_t lanes = 32 / sizeof(T);
  std::array<lane_bits<T>, 2 * lanes> bits{};
  for (std::size_t k = 0; k < lanes; ++k) bits[k] = -1;
  return bits;
}();

/// Points to the 32 bytes of the mask that has the first n lanes of T set; n is at most their
/// number.
template <class T>
const lane_bits<T>* first_lanes(index_t n) {
  return set_then_clear<T>.data() + set_then_clear<T>.size() / 2 - static_cast<std::size_t>(n);
}

}  // namespace gossamer::detail
