// Sums, orders and running maxima of arrays on a device (CUB inside). For conversions and for what
// kernels prepare; all of them queue their work, those that return a number wait for it.
#pragma once

#include <cstdint>

#include "gossamer/context.hpp"
#include "gossamer/memory.hpp"

namespace gossamer::cuda {

/// counts[0 .. n) become the sums of all counts before them; counts[n], the last, the total, which
/// is returned. Waits.
index_t exclusive_sums(const context&, buffer<index_t>& counts);

/// Keys in ascending order and where each came from; equal keys keep their order.
template <class Key>
struct ordered {
  buffer<Key> keys, from;
};
/// Only the lowest `bits` of the keys count. Key is std::uint32_t (fewer than 2^32 keys) or
/// std::uint64_t.
template <class Key>
ordered<Key> order_of(const context&, buffer<Key> keys, int bits);

/// Each index becomes the greatest up to its place.
void running_maximum(const context&, index_span indices);

/// The line (row of CSR, column of CSC) that each entry belongs to.
void lines_of_entries(const context&, index_view offsets, index_span lines);

/// The same numbers in another width; the caller knows that they fit. Both on the device.
void copy_indices(const context&, index_view from, index_span to);

}  // namespace gossamer::cuda
