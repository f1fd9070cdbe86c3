// Repeated rows of C = A B. Two rows have the same pattern when the rows of B that they add have
// the same relative columns and the same distances from one another: then the nonzeros of one are
// those of the other, shifted, and each is the sum of the same multiplications. Rows of stencils
// and of aggregations have a few dozen patterns. A pattern is worked out once; a row is then a list
// of sums without any sorting or searching.
#pragma once

#include "kernels/spgemm/cuda/row_work.hpp"

namespace gossamer::device {

inline constexpr int most_patterns = 512;
/// Multiplications of a pattern, at most: a warp sorts them.
inline constexpr int pattern_products = 1024;
/// Multiplications of a pattern, nonzeros side by side in slices of 32 and padded, at most.
inline constexpr int pattern_terms = 8192;
inline constexpr int pattern_slices = pattern_products / 32;

/// The nonzeros of one pattern in ascending order. Nonzero s has `length[s]` terms; term i is at
/// slice[s / 32] + i * (nonzeros in the slice) + s % 32.
struct row_pattern {
  std::int32_t nonzeros;
  std::int32_t column[pattern_products];  ///< from the row's base column on
  std::uint16_t length[pattern_products];
  std::int32_t slice[pattern_slices];
  /// The nonzero of A and the nonzero of its row of B, counted from the start of both rows.
  std::uint32_t term[pattern_terms];
  /// The nonzero that each multiplication is added to, in the order of the multiplications.
  std::uint16_t slot[pattern_products];
};

/// The patterns of a product, and which one each row of C has.
struct row_patterns {
  buffer<row_pattern> patterns;
  buffer<std::int32_t> pattern_of;  ///< of each row
  buffer<std::int32_t> base;        ///< first column of the first row of B that a row adds
  int most_nonzeros = 0;            ///< of a pattern
  bool found() const { return patterns.size() > 0; }
  index_t bytes() const {
    return patterns.size() * index_t{sizeof(row_pattern)} +
           (pattern_of.size() + base.size()) * index_t{sizeof(std::int32_t)};
  }
};

/// Looks for patterns where a sample of rows promises them (row_work::sampled_patterns), and writes
/// the nonzeros of every row into `counts`. Empty, with counts of 0, when the rows have too many
/// patterns or one that is too long. Both operands have columns of 32 bits. Waits.
row_patterns find_patterns(const context&, const product_structure&, const row_work&,
                           buffer<index_t>& counts);

}  // namespace gossamer::device
