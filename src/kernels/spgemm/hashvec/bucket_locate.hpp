// The bucket search, a template over the vector width. Lanes knows how many keys a bucket has and
// which of them equal a key (bit k for lane k).
#pragma once

#include "kernels/spgemm/hashvec/bucket_probe.hpp"

namespace gossamer::detail {

/// The first probe needs no vectors: most columns are found there, and a vector load across a key
/// that was just written stalls on store forwarding. Always inlined, so that it becomes part of a
/// function compiled for the instructions of its Lanes.
template <class Lanes, class I>
[[gnu::always_inline]] inline void locate_all(bucket_arrays<I>& table, const I* columns,
                                              index_t count, bucket_slot<I>* slots) {
  I* const keys = table.keys;
  const column_hash hash = table.hash;
  auto* new_use = table.used + table.count;
  for (index_t k = 0; k < count; ++k) {
    const I column = columns[k];
    std::uint64_t slot = hash(column);
    bool is_new = keys[slot] == I{-1};
    if (!is_new && keys[slot] != column) {
      for (slot &= ~std::uint64_t{Lanes::count - 1};; slot = (slot + Lanes::count) & table.mask) {
        const unsigned same = Lanes::equal(keys + slot, column);
        const unsigned free = Lanes::equal(keys + slot, I{-1});
        if ((same | free) == 0) continue;
        is_new = same == 0;
        slot += static_cast<unsigned>(std::countr_zero(is_new ? free : same));
        break;
      }
    }
    slots[k] = static_cast<bucket_slot<I>>(slot);
    if (is_new) {
      keys[slot] = column;
      *new_use++ = {column, slots[k]};
    }
  }
  table.count = new_use - table.used;
}

/// Four keys in plain C++, for every processor.
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
                     bucket_slot<I>* slots) {
  locate_all<portable_lanes<I>>(table, columns, count, slots);
}

}  // namespace gossamer::detail
