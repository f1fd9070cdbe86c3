// Searches a hash table a bucket at a time: a bucket is as many keys as a vector register holds,
// and one comparison finds the column or shows that the bucket does not have it. The instructions
// are chosen at run time (docs/adr/0007-target-attributes-not-highway.md).
#pragma once

#include <vector>

#include "kernels/spgemm/accumulators/column_slots.hpp"

namespace gossamer {

enum class probe_path { portable, avx2, avx512 };

/// The arrays of a table. Free keys are -1. A search probes the slot that a column hashes to, then
/// the bucket of this slot, then the next buckets; nothing is ever removed from a row, so the first
/// bucket with a free lane ends it.
template <class I>
struct bucket_arrays {
  I* keys = nullptr;               ///< aligned to 64 bytes
  std::uint64_t mask = 0;          ///< slots - 1; slots are a power of two, at least 16
  column_slot<I>* used = nullptr;  ///< every column once, in order of insertion
  index_t count = 0;
};

template <class I>
struct bucket_probe {
  using slot = std::make_unsigned_t<I>;
  /// Finds the slots of `count` columns; new ones are inserted. The table must have room for them.
  void (*locate)(bucket_arrays<I>&, const I* columns, index_t count, slot* slots);
};

/// Paths that this processor supports, the widest last; never empty.
std::vector<probe_path> probe_paths();

/// I is std::int32_t or std::int64_t.
template <class I>
bucket_probe<I> probe_by(probe_path);

}  // namespace gossamer
