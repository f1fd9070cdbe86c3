// Sorts and sums of ESC in memory that the caller provides: nothing is allocated and nothing waits,
// so that plans can be captured in a graph.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/context.hpp"

namespace gossamer::device {

/// Memory that the functions below need for up to `count` elements, with keys of up to `key_bytes`
/// (4 or 8).
index_t sorting_bytes(const context&, index_t count, index_t key_bytes);

struct scratch_memory {
  void* data;
  index_t bytes;
};

/// Two arrays of `count` elements each; a sort leaves its result in `now`.
template <class Element>
struct two_arrays {
  Element* now;
  Element* other;
};

/// Sorts keys with their places by the lowest `bits` of the keys. Stable. Key is std::uint32_t or
/// std::uint64_t; fewer than 2^32 elements.
template <class Key>
void sort_pairs(const context&, two_arrays<Key>& keys, two_arrays<std::uint32_t>& places,
                index_t count, int bits, scratch_memory);

/// Exclusive prefix sums.
void exclusive_sums(const context&, const std::uint32_t* counts, std::uint32_t* sums, index_t count,
                    scratch_memory);

}  // namespace gossamer::device
