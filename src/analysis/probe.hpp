// Bounds the longest row without reading every row: a few binary searches in the offsets.
#pragma once

#include "gossamer/memory.hpp"

namespace gossamer::analysis {

/// Bounds of the longest row. They are equal whenever that row has nnz / probes nonzeros or more.
struct row_probe {
  index_t at_least = 0;  ///< a row this long exists
  index_t at_most = 0;   ///< no row is longer
  bool heavy = false;    ///< some row has at least nnz / probes nonzeros (rounded up)
};

/// Looks up the rows of `probes` nonzeros spaced equally: O(probes log rows). The guarantee:
/// neighbouring probes are at most ceil(nnz / probes) nonzeros apart, so every row with that many
/// nonzeros is hit, and the longest of those hit is the longest of all. A row that was missed has
/// fewer than ceil(nnz / probes) nonzeros. `offsets` has rows + 1 elements.
row_probe probe_rows(index_view offsets, int probes);

}  // namespace gossamer::analysis
