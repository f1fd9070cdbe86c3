// The merge path of Merrill and Garland: rows and nonzeros are consumed along one path, so that
// equal parts of the path are equal parts of the work, however the rows are shaped.
#pragma once

#include "gossamer/types.hpp"

namespace gossamer {

/// A point on the path: `row` rows are finished, `entry` nonzeros are consumed.
struct merge_coordinate {
  index_t row = 0, entry = 0;
};

/// Where the diagonal row + entry = diagonal crosses the path of these row offsets.
template <class O>
constexpr merge_coordinate merge_search(index_t diagonal, const O* offsets, index_t rows) {
  const index_t nnz = offsets[rows];
  index_t low = diagonal > nnz ? diagonal - nnz : 0;
  index_t high = diagonal < rows ? diagonal : rows;
  while (low < high) {
    const index_t middle = low + (high - low) / 2;
    if (offsets[middle + 1] <= diagonal - middle - 1)
      low = middle + 1;
    else
      high = middle;
  }
  return {low, diagonal - low};
}

}  // namespace gossamer
