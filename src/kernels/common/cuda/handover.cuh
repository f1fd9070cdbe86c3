// Passes a sum from one block to another in the same launch, without a fence or a counter: its slot
// has all bits set until the sum is stored. The waiting block must have the higher index: blocks
// are started in order.
#pragma once

#include <bit>
#include <type_traits>

namespace gossamer::device {

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

/// Byte that fills an empty slot.
inline constexpr int no_sum_yet = 0xff;

template <class T>
__device__ void hand_over(T* place, T sum) {
  constexpr auto nothing = ~bits_of<T>{0};
  const auto bits = std::bit_cast<bits_of<T>>(sum);
  // The NaN equal to the empty marker is replaced by another NaN.
  *reinterpret_cast<volatile bits_of<T>*>(place) = bits == nothing ? bits - 1 : bits;
}

/// Waits for the sum and resets the slot for the next launch.
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
