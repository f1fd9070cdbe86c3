// Exact nonzero counts of rows of C = A B: the symbolic phase of a product, for selected rows.
#pragma once

#include <span>
#include <vector>

#include "analysis/pattern.hpp"

namespace gossamer::analysis {

/// Counts nnz(C_i) for the given rows. Both patterns by rows; `products` has one element per row of
/// C. Memory per thread: about 3/8 bytes per column of C.
std::vector<index_t> count_rows(const context& where, const pattern& a, const pattern& b,
                                std::span<const index_t> products, std::span<const index_t> rows);

/// Counts nnz(C_i) for every row.
buffer<index_t> count_all_rows(const context& where, const pattern& a, const pattern& b,
                               std::span<const index_t> products);

/// What a part of the nonzeros of one row of A contributes.
struct part_of_row {
  index_t entries = 0;       ///< nonzeros of A_i that were visited
  index_t products = 0;      ///< multiplications of these
  index_t distinct = 0;      ///< distinct columns of these multiplications
  double length_spread = 0;  ///< deviation / mean of nnz(B_k) over all nonzeros of A_i
};

/// Visits every stride-th nonzero of row `row`, from nonzero `start` on.
struct strided_row {
  index_t row = 0, stride = 1, start = 0;
};
std::vector<part_of_row> count_parts(const context& where, const pattern& a, const pattern& b,
                                     std::span<const strided_row> rows);

}  // namespace gossamer::analysis
