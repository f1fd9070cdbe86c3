// The search itself, the same for every width. Lanes says how many keys a bucket has and which of
// them equal a key (bit k for lane k).
#pragma once

#include "kernels/shared/bucket_probe.hpp"

namespace gossamer::detail {

/// Always inlined: it becomes part of a function that may use the instructions of its Lanes.
template <class Lanes, class I>
[[gnu::always_inline]] inline void locate_all(bucket_arrays<I>& table, const I* columns,
                                              index_t count,
                                              typename bucket_probe<I>::slot* slots) {
  using slot_type = typename bucket_probe<I>::slot;
  I* const keys = table.keys;
  column_slot<I>* free_use = table.used + table.count;
  for (index_t k = 0; k < count; ++k) {
    const I column = columns[k];
    std::uint64_t bucket = spread(column) & table.mask;
    for (;; bucket = (bucket + 1) & table.mask) {
      const std::uint64_t first = bucket * Lanes::count;
      const unsigned same = Lanes::equal(keys + first, column);
      if (same != 0) {
        slots[k] = static_cast<slot_type>(first + static_cast<unsigned>(std::countr_zero(same)));
        break;
      }
      const unsigned free = Lanes::equal(keys + first, I{-1});
      if (free != 0) {
        const auto slot = first + static_cast<unsigned>(std::countr_zero(free));
        keys[slot] = column;
        slots[k] = static_cast<slot_type>(slot);
        *free_use++ = {column, slots[k]};
        break;
      }
    }
  }
  table.count = free_use - table.used;
}

/// No vectors at all, for every machine.
template <class I>
struct portable_lanes {
  static constexpr unsigned count = 4;
  static unsigned equal(const I* bucket, I key) {
    unsigned found = 0;
    for (unsigned lane = 0; lane < count; ++lane)
      found |= static_cast<unsigned>(bucket[lane] == key) << lane;
    return found;
  }
};

template <class I>
void locate_portable(bucket_arrays<I>& table, const I* columns, index_t count,
                     typename bucket_probe<I>::slot* slots) {
  locate_all<portable_lanes<I>>(table, columns, count, slots);
}

}  // namespace gossamer::detail
