// Bytes that propagation blocking allocates for one slice of C: upper bounds, for memory limits.
// They follow collect_columns, place_tuples, expand and finish_bins; change them together.
#pragma once

#include <algorithm>

#include "kernels/spgemm/pb/pb_columns.hpp"

namespace gossamer {

struct pb_slice_size {
  index_t products = 0, entries = 0;  ///< nonzeros of A
  index_t bins = 0, largest_bin = 0;
  bool wide = false;  ///< 8-byte keys
};

/// The smallest slice: below it, the fixed cost of a slice would dominate.
inline index_t pb_least_slice(const problem& p) {
  return std::max<index_t>(
      {p.spgemm.counted->most_products, p.spgemm.counted->longest_a_row, 1 << 14});
}

inline index_t pb_layout_bytes(index_t slices, index_t bins) {
  return 2 * slices * (index_t{sizeof(pb_slice)} + (bins + 1) * 8);  // twice: vectors that grew
}

inline index_t pb_slice_bytes(const problem& p, const pb_settings& s, index_t team,
                              const pb_slice_size& of) {
  const index_t key = of.wide ? 8 : 4, value = bytes(p.a.values), tuple = key + value;
  const index_t width = pb_local_tuples(s, tuple), shares = 4 * team, runs = of.bins * shares;
  const detail::column_groups groups(p.a.shape.cols, of.entries);

  const index_t columns = 2 * 8 * (p.a.shape.cols + 1) + of.entries * tuple;
  const index_t grouped = (tuple + 4 + std::max(key, value) - 1) / std::max(key, value) *
                          std::max(key, value) * of.entries;
  const index_t grouping = (2 * team * groups.count + 3 * (groups.count + 1)) * 8 +
                           team * std::min(index_t{1} << groups.shift, p.a.shape.cols) * 8;

  const index_t tuples = (of.products + runs * (width - 1)) * tuple + (3 * runs + of.bins) * 8;
  const index_t expanding = team * of.bins * ((width + 2 * 8) * tuple + 8);
  const index_t sorting = std::min(team, of.bins) * ((s.flag_sort ? 0 : of.largest_bin * 4 * key) +
                                                     6 * (1 << widest_digit) * key + shares * 40);
  return columns + std::max(grouped + grouping, tuples + std::max(expanding, sorting));
}

}  // namespace gossamer
