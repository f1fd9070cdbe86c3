// Slices of rows of C whose multiplications fit a workspace, and what they are cut by: the
// multiplications before each nonzero and each row of A.
#pragma once

#include <vector>

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer::device {

/// Where a slice begins or ends: the row, its first nonzero of A, and the multiplications before
/// it.
struct row_cut {
  index_t row = 0, entry = 0, product = 0;
};

/// Rows of a slice are numbered in 32 bits.
inline constexpr index_t most_slice_rows = index_t{1} << 31;

/// The row after the slice that begins at `first`: as many rows up to `last` as have at most `most`
/// multiplications, and at least one. before[i] counts the multiplications of rows below i.
constexpr index_t slice_end(const index_t* before, index_t first, index_t last, index_t most) {
  index_t low = first + 1, high = last - first > most_slice_rows ? first + most_slice_rows : last;
  while (low < high) {
    const index_t middle = low + (high - low + 1) / 2;
    if (before[middle] - before[first] <= most)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// Multiplications of C = A B, by rows of A.
struct row_products {
  buffer<index_t> before_entry;  ///< nonzeros of A + 1
  buffer<index_t> before_row;    ///< rows of A + 1
  index_t total = 0, longest_row = 0;
  index_t bytes() const {
    return (before_entry.size() + before_row.size()) * index_t{sizeof(index_t)};
  }
};

/// Held by row_products for these sizes, and the most while counting.
index_t row_products_bytes(index_t rows, index_t nnz);
index_t row_products_peak(index_t rows, index_t nnz);

/// Counts the multiplications of every nonzero and row. Waits.
row_products count_row_products(const context&, index_view a_offsets, index_view a_columns,
                                index_view b_offsets);

/// Cuts the rows of A into slices of at most `most` multiplications (a longer row is a slice of its
/// own): slice k is between cuts k and k + 1. Waits.
std::vector<row_cut> cut_rows(const context&, const row_products& products, index_view a_offsets,
                              index_t most);
/// Device memory of cut_rows.
inline constexpr index_t cutting_bytes = 1025 * index_t{sizeof(row_cut)};

}  // namespace gossamer::device
