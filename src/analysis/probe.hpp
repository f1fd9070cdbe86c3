// A first look at the longest row without reading every row: a few binary searches in the offsets.
#pragma once

#include "gossamer/memory.hpp"

namespace gossamer::analysis {

/// Bounds of the longest row. They are equal whenever that row has nnz / probes entries or more.
struct row_probe {
  index_t at_least = 0;  ///< a row this long exists
  index_t at_most = 0;   ///< no row is longer
  bool heavy = false;    ///< some row holds at least nnz / probes entries (rounded up)
};

/// Looks up the rows of `probes` entries spaced equally over all entries: O(probes log rows).
/// The guarantee: neighbouring probes lie at most ceil(nnz / probes) entries apart, so every row
/// with that many entries is hit, and the longest of those hit is the longest of all. A row that
/// was missed has fewer than ceil(nnz / probes) entries. `offsets` has rows + 1 elements.
row_probe probe_rows(index_view offsets, int probes);

}  // namespace gossamer::analysis
