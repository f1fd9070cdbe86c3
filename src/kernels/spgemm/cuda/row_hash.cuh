// Hashes of rows, and a table on the device that keeps one representative of each.
#pragma once

#include <cstdint>

#include "backends/cuda/indices.cuh"
#include "kernels/common/cuda/device_sums.cuh"
#include "kernels/spgemm/cuda/row_work.hpp"

namespace gossamer::device {

/// The structure of A and B with columns of 32 bits.
struct narrow_structure {
  index_t a_rows, b_rows;
  cuda::index_reader a_offsets, b_offsets;
  const std::int32_t* a_columns;
  const std::int32_t* b_columns;
  explicit narrow_structure(const product_structure& of)
      : a_rows(of.a_shape.rows),
        b_rows(of.b_shape.rows),
        a_offsets(of.a_offsets),
        b_offsets(of.b_offsets),
        a_columns(static_cast<const std::int32_t*>(of.a_columns.data())),
        b_columns(static_cast<const std::int32_t*>(of.b_columns.data())) {}
};

__device__ inline unsigned long long mixed(unsigned long long hash, unsigned long long with) {
  hash ^= with + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ hash >> 32;
}

/// The first column of row j of B; 0 if it has none.
__device__ inline std::int32_t first_column(const narrow_structure& of, index_t j) {
  const index_t begin = of.b_offsets[j];
  return begin < of.b_offsets[j + 1] ? of.b_columns[begin] : 0;
}

/// A hash of the columns of row j of B, relative to the first; of the first `most` of them.
__device__ inline unsigned long long hash_of_row(const narrow_structure& of, index_t j,
                                                 index_t most) {
  const index_t begin = of.b_offsets[j], length = of.b_offsets[j + 1] - begin;
  unsigned long long hash = static_cast<unsigned long long>(length);
  for (index_t k = begin + 1; k < begin + min(length, most); ++k)
    hash = mixed(hash, static_cast<unsigned>(of.b_columns[k] - of.b_columns[begin]));
  return hash;
}

/// Slots are a power of two.
struct hash_slots {
  unsigned long long* keys;  ///< 0: free
  std::int32_t* rows;        ///< a row with that hash
  int slots;

  /// Where a hash is, and whether this call entered it; slot -1 when the table is too full.
  struct place {
    int slot;
    bool is_new;
  };
  __device__ place enter(unsigned long long hash, index_t row) const {
    int slot = static_cast<int>(hash & static_cast<unsigned>(slots - 1));
    for (int tries = 0; tries < 32; ++tries) {
      unsigned long long held = *static_cast<volatile unsigned long long*>(keys + slot);
      if (held == 0) held = atomicCAS(keys + slot, 0ULL, hash);
      if (held == 0) rows[slot] = static_cast<std::int32_t>(row);
      if (held == 0 || held == hash) return {slot, held == 0};
      slot = (slot + 1) & (slots - 1);
    }
    return {-1, false};
  }
};

/// A thread's way into the table, for a warp whose threads see the same few hashes again and again:
/// each remembers its last slot, and of those that look for one hash a single one asks the table.
/// Without it all threads of a device would meet at one address.
class table_entrance {
 public:
  /// The slot of the hash, entered with this row if it is new; all threads of a warp call it.
  /// Those that have no row pass -1 and get -1; so does every thread when the table is too full.
  /// `entered(slot)` is called by the one thread that entered a new hash.
  template <class Entered>
  __device__ int slot_of(const hash_slots& table, unsigned long long hash, index_t row,
                         Entered&& entered) {
    if (hash == 0) hash = 1;
    const bool unknown = row >= 0 && hash != last_hash_;
    const unsigned asking = __ballot_sync(whole_warp, unknown);
    if (unknown) {
      const unsigned alike = __match_any_sync(asking, hash);
      const int first = __ffs(static_cast<int>(alike)) - 1;
      hash_slots::place found{-1, false};
      if (static_cast<int>(threadIdx.x) % warp_size == first) found = table.enter(hash, row);
      if (found.is_new) entered(found.slot);
      last_slot_ = __shfl_sync(alike, found.slot, first);
      last_hash_ = hash;
    }
    return row >= 0 ? last_slot_ : -1;
  }

 private:
  unsigned long long last_hash_ = 0;
  int last_slot_ = -1;
};

}  // namespace gossamer::device
