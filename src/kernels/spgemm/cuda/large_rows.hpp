// The rows of C = A B with the most multiplications: which are sorted by a block, which are cut
// into stripes of columns, which are expanded in memory.
#pragma once

#include "kernels/spgemm/cuda/row_work.hpp"

namespace gossamer::device {

/// A row of C and the columns [first, first + columns) of it.
struct row_stripe {
  index_t row, first;
  index_t first_stripe;  ///< of the row, among all stripes
  std::int32_t columns;
  std::int32_t whole;  ///< the row has no other stripe
};

/// The most multiplications of rows that one block sorts, by size of the block.
inline constexpr std::array<index_t, 2> block_limits{4096, 12'288};

/// The rows of the large class: scattered ones are sorted by a block, the others cut into stripes.
struct large_rows {
  /// Rows that are sorted, those of the first limit from the front, of the second from the back.
  buffer<index_t> sorted;
  std::array<index_t, 2> sorted_rows{};
  index_t sorted_multiplications = 0;
  /// Rows that add so many rows of B that every stripe would look at more of them than it finds
  /// multiplications: computed by expansion and sorting in memory.
  buffer<index_t> expanded;
  index_t expanded_rows = 0;
  buffer<row_stripe> stripes;
  buffer<index_t> starts;      ///< stripes + 1: nonzeros before each, once counted
  buffer<index_t> row_starts;  ///< rows of the class + 1: stripes before each of them
  bool b_ascends = false;      ///< columns ascend strictly in every row of B
  index_t bytes() const;
};

/// Whether rows may be expanded in memory.
enum class expansion { allowed, none };

/// Rows of the large class that are divided, and count_disorder() of B.
struct divided_rows {
  const index_t* rows;
  index_t count;
  const unsigned long long* disorder;
};

/// Divides rows of the large class. Makes row_work::products negative for rows that are not
/// sorted. Waits.
large_rows divide_large_rows(const context&, const product_structure&, row_work&,
                             const divided_rows&, expansion);

/// Turns the nonzeros counted in starts[stripe] into sums, and writes the nonzeros of each of the
/// rows into counts[row].
void sum_stripes(const context&, const divided_rows&, large_rows&, buffer<index_t>& counts);

}  // namespace gossamer::device
