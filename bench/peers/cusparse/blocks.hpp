// CSR in square blocks (BSR), on the host: what cuSPARSE takes in place of its own conversion,
// which newer versions no longer have. Plain C++, so that it can be tested without a device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bench/race/contestant.hpp"

namespace gossamer::bench::cusparse {

/// Blocks of `side` x `side` values, row-major; rows and columns beyond the matrix are zeros.
template <class T>
struct block_rows {
  index_t side = 0, rows = 0, cols = 0;  ///< rows and cols: of blocks
  std::vector<std::int32_t> offsets, columns;
  std::vector<T> values;
};

/// The number of blocks alone: conversions that fill in too much are not worth their memory.
inline index_t count_blocks(const csr_arrays& a, index_t side) {
  std::vector<index_t> last(static_cast<std::size_t>((a.cols + side - 1) / side), -1);
  index_t count = 0;
  for (index_t i = 0; i < a.rows; ++i)
    for (std::int32_t k = a.offsets[i]; k < a.offsets[i + 1]; ++k)
      if (auto& seen = last[static_cast<std::size_t>(a.columns[k] / side)]; seen != i / side) {
        seen = i / side;
        ++count;
      }
  return count;
}

template <class T>
block_rows<T> in_blocks(const csr_arrays& a, index_t side) {
  block_rows<T> to{side, (a.rows + side - 1) / side, (a.cols + side - 1) / side, {0}, {}, {}};
  const auto* const values = static_cast<const T*>(a.values);
  for (index_t block = 0; block < to.rows; ++block) {
    const index_t first = block * side, last = std::min(first + side, a.rows);
    const auto begin = static_cast<std::ptrdiff_t>(to.columns.size());
    for (std::int32_t k = a.offsets[first]; k < a.offsets[last]; ++k)
      to.columns.push_back(static_cast<std::int32_t>(a.columns[k] / side));
    std::sort(to.columns.begin() + begin, to.columns.end());
    to.columns.erase(std::unique(to.columns.begin() + begin, to.columns.end()), to.columns.end());
    to.offsets.push_back(static_cast<std::int32_t>(to.columns.size()));
    to.values.resize(to.columns.size() * static_cast<std::size_t>(side * side));
    for (index_t i = first; i < last; ++i)
      for (std::int32_t k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
        const auto at = std::lower_bound(to.columns.begin() + begin, to.columns.end(),
                                         static_cast<std::int32_t>(a.columns[k] / side)) -
                        to.columns.begin();
        to.values[static_cast<std::size_t>((at * side + i - first) * side + a.columns[k] % side)] =
            values[k];
      }
  }
  return to;
}

}  // namespace gossamer::bench::cusparse
