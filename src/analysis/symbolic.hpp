// Entries of rows of C = A B, counted one by one: the symbolic half of a product, for as many rows
// as are asked for.
#pragma once

#include <span>
#include <vector>

#include "analysis/pattern.hpp"

namespace gossamer::analysis {

/// nnz(C_i) for the given rows. Both patterns by rows; `products` has one element per row of C.
/// Memory per thread: about 3/8 bytes per column of C.
std::vector<index_t> count_rows(const context& where, const pattern& a, const pattern& b,
                                std::span<const index_t> products, std::span<const index_t> rows);

/// nnz(C_i) for every row.
buffer<index_t> count_all_rows(const context& where, const pattern& a, const pattern& b,
                               std::span<const index_t> products);

/// What some of the entries of one row of A lead to.
struct part_of_row {
  index_t entries = 0;       ///< entries of A_i that were followed
  index_t products = 0;      ///< products they have
  index_t distinct = 0;      ///< distinct columns among those products
  double length_spread = 0;  ///< deviation / mean of nnz(B_k) over all entries of A_i
};

/// Row `row` followed through every stride-th entry of A_i, the first one being entry `start`.
struct strided_row {
  index_t row = 0, stride = 1, start = 0;
};
std::vector<part_of_row> count_parts(const context& where, const pattern& a, const pattern& b,
                                     std::span<const strided_row> rows);

}  // namespace gossamer::analysis
