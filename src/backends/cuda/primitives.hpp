// Prefix sums, sorts and running maxima of device arrays (implemented with CUB), for conversions
// and for preparing kernels. All of them are queued; those that return a number wait for it.
#pragma once

#include <cstdint>

#include "gossamer/context.hpp"
#include "gossamer/memory.hpp"

namespace gossamer::cuda {

/// Exclusive prefix sums in place; counts[n], the last, becomes the total, which is returned.
/// Waits.
index_t exclusive_sums(const context&, buffer<index_t>& counts);
/// The same for callers that do not need the total: waits for nothing.
void queue_exclusive_sums(const context&, buffer<index_t>& counts);

/// Sorted keys and their original positions; the sort is stable.
template <class Key>
struct ordered {
  buffer<Key> keys, from;
};
/// Sorts by the lowest `bits` of the keys. Key is std::uint32_t (fewer than 2^32 keys) or
/// std::uint64_t.
template <class Key>
ordered<Key> order_of(const context&, buffer<Key> keys, int bits);

/// Inclusive running maximum in place.
void running_maximum(const context&, index_span indices);

/// Computes the line (row of CSR, column of CSC) of each nonzero.
void lines_of_entries(const context&, index_view offsets, index_span lines);

/// Copies indices to another width; the caller guarantees that they fit. Both on the device.
void copy_indices(const context&, index_view from, index_span to);

}  // namespace gossamer::cuda
