// Sorting the keys of one short row: up to 256 numbers of 32 bits, by sorting networks of vector
// instructions.
#pragma once

#include <cstdint>

#include "gossamer/types.hpp"
#include "kernels/simd/select.hpp"

namespace gossamer {

inline constexpr index_t most_keys = 256, room_for_keys = most_keys + 16;

/// Sorts keys[0 .. count), count <= most_keys. `keys` is aligned to 64 bytes and has room for
/// room_for_keys numbers; those behind `count` are overwritten.
using key_sorter = void (*)(std::uint32_t* keys, index_t count);

variants<key_sorter> key_sorters();

/// For very few keys, or such that are nearly in order.
inline void sort_by_insertion(std::uint32_t* keys, index_t count) {
  for (index_t i = 1; i < count; ++i) {
    const std::uint32_t key = keys[i];
    index_t at = i;
    for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

}  // namespace gossamer
