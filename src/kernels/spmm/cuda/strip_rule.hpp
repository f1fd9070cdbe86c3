// When spmm/csr/strips/cuda pays: pure functions of a few facts. No CUDA here, so that they can be
// tested anywhere.
#pragma once

#include "gossamer/types.hpp"

namespace gossamer::device {

inline constexpr index_t most_strip_columns = index_t{1} << 28;
inline constexpr index_t most_strip_nonzeros = (index_t{1} << 31) - 64;

struct strip_facts {
  index_t columns = 0;  ///< of B
  int value_bytes = 4;
  double mean_row = 1;
  bool even = true;    ///< no row is much longer than the mean
  double x_lines = 0;  ///< of row_sample; 0 if not sampled
};

/// Whether rows are worth a look: long enough to load rows of B again and again, and in a sample
/// their nonzeros meet in few lines of columns. Rows of B in fewer packs than lanes do not pay.
constexpr bool may_share(const strip_facts& f) {
  const bool packs = f.columns * f.value_bytes % 16 == 0 && f.columns * f.value_bytes >= 128;
  return packs && f.even && f.mean_row >= 8.5 && f.x_lines > 0 && f.x_lines < 0.1;
}

/// Entries of strips that are still faster than rows one by one: four rows of nonzeros that share
/// nothing have as many entries as nonzeros.
constexpr index_t most_strip_entries(index_t nnz) { return nnz / 10 * 7; }

}  // namespace gossamer::device
