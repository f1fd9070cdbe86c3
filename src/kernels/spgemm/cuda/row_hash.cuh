// Hashes of rows, and a table on the device that keeps one representative of each.
#pragma once

#include <cstdint>

#include "backends/cuda/indices.cuh"
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

  /// The slot of the hash, entered with this row if it is new; -1 when the table is too full.
  __device__ int enter(unsigned long long hash, index_t row) const {
    if (hash == 0) hash = 1;
    int slot = static_cast<int>(hash & static_cast<unsigned>(slots - 1));
    for (int tries = 0; tries < 32; ++tries) {
      unsigned long long held = *static_cast<volatile unsigned long long*>(keys + slot);
      if (held == 0) held = atomicCAS(keys + slot, 0ULL, hash);
      if (held == 0) rows[slot] = static_cast<std::int32_t>(row);
      if (held == 0 || held == hash) return slot;
      slot = (slot + 1) & (slots - 1);
    }
    return -1;
  }
};

}  // namespace gossamer::device
