// A sum that one block hands to another in the same launch, without a fence or a counter: its place
// has all bits set until the sum is there. Who waits must have the higher block index: blocks are
// started in order.
#pragma once

#include <bit>
#include <type_traits>

namespace gossamer::device {

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

/// What an empty place holds, byte for byte.
inline constexpr int no_sum_yet = 0xff;

template <class T>
__device__ void hand_over(T* place, T sum) {
  constexpr auto nothing = ~bits_of<T>{0};
  const auto bits = std::bit_cast<bits_of<T>>(sum);
  // The one NaN that would pass for nothing becomes its neighbour.
  *reinterpret_cast<volatile bits_of<T>*>(place) = bits == nothing ? bits - 1 : bits;
}

/// Waits for the sum and leaves the place empty for the next launch.
template <class T>
__device__ T take_over(T* place) {
  constexpr auto nothing = ~bits_of<T>{0};
  auto* const watched = reinterpret_cast<volatile bits_of<T>*>(place);
  auto bits = *watched;
  while (bits == nothing) bits = *watched;
  *watched = nothing;
  return std::bit_cast<T>(bits);
}

}  // namespace gossamer::device
