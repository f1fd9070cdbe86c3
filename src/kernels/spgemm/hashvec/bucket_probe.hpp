// Searches a hash table a bucket at a time: a bucket is as many keys as a vector register holds,
// and one comparison finds the column or shows that the bucket does not have it.
#pragma once

#include <type_traits>

#include "kernels/simd/select.hpp"
#include "kernels/spgemm/accumulators/column_slots.hpp"

namespace gossamer {

/// The arrays of a table. Free keys are -1. A search probes the slot that a column hashes to, then
/// the bucket of this slot, then the next buckets; nothing is ever removed from a row, so the first
/// bucket with a free lane ends it.
template <class I>
struct bucket_arrays {
  I* keys = nullptr;               ///< aligned to 64 bytes
  std::uint64_t mask = 0;          ///< slots - 1; slots are a power of two, at least 16
  column_hash hash = {};           ///< for that many slots
  column_slot<I>* used = nullptr;  ///< every column once, in order of insertion
  index_t count = 0;
};

template <class I>
using bucket_slot = std::make_unsigned_t<I>;

/// Finds the slots of `count` columns and inserts new ones, for which the table must be large
/// enough.
template <class I>
using bucket_locator = void (*)(bucket_arrays<I>&, const I* columns, index_t count,
                                bucket_slot<I>* slots);

/// I is std::int32_t or std::int64_t.
template <class I>
variants<bucket_locator<I>> bucket_locators();

}  // namespace gossamer
