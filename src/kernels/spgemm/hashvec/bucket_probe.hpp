// Searching a hash table a bucket at a time: a bucket is as many keys as a vector register holds,
// and one comparison finds the column or says that the bucket does not have it. The instructions
// are chosen when the program runs (docs/adr/0007-target-attributes-not-highway.md).
#pragma once

#include <vector>

#include "kernels/spgemm/accumulators/column_slots.hpp"

namespace gossamer {

enum class probe_path { portable, avx2, avx512 };

/// The arrays of a table, as the paths see them. Free keys are -1. A search looks at the slot that
/// a column hashes to, then through the bucket of this slot, then through the next ones; nothing is
/// ever taken out of a row, so the first bucket with a free lane ends it.
template <class I>
struct bucket_arrays {
  I* keys = nullptr;               ///< aligned to 64 bytes
  std::uint64_t mask = 0;          ///< slots - 1; slots are a power of two, at least 16
  column_slot<I>* used = nullptr;  ///< every column once, as they came
  index_t count = 0;
};

template <class I>
struct bucket_probe {
  using slot = std::make_unsigned_t<I>;
  /// The slots of `count` columns; new ones are inserted. The table must have room for them.
  void (*locate)(bucket_arrays<I>&, const I* columns, index_t count, slot* slots);
};

/// What this processor can run, the widest last; never empty.
std::vector<probe_path> probe_paths();

/// I is std::int32_t or std::int64_t.
template <class I>
bucket_probe<I> probe_by(probe_path);

}  // namespace gossamer
