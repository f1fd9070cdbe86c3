// Rows of a product in classes of similar work, and random rows out of each class.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "gossamer/context.hpp"

namespace gossamer::analysis {

/// Class k has the rows with [2^(k-1), 2^k) multiplications; class 0 those without. Rows with more
/// than `giant_above` multiplications are in no class: they are listed separately.
class row_strata {
 public:
  static constexpr int classes = 64;
  struct stratum {
    index_t rows = 0, products = 0;
  };

  /// `columns` of C bound the nonzeros of a row. O(rows); parallel.
  row_strata(const context& where, std::span<const index_t> products, index_t columns,
             index_t giant_above);

  const stratum& operator[](int k) const { return strata_[static_cast<std::size_t>(k)]; }
  /// The rows that are listed separately, ascending.
  const std::vector<index_t>& giants() const { return giants_; }
  /// Sum over all rows of min(multiplications, columns): an upper bound on nnz(C).
  index_t most_entries() const { return most_entries_; }

  /// Samples n rows of class k, every set of n equally likely, ascending. The same for the same
  /// seed.
  std::vector<index_t> pick(int k, index_t n, std::uint64_t seed) const;

 private:
  static constexpr index_t block_rows = 1024;  // fits the 16-bit counters below
  using block_counts = std::array<std::uint16_t, classes>;

  int class_of(index_t products) const;

  std::span<const index_t> products_;
  index_t giant_above_, most_entries_ = 0;
  std::array<stratum, classes> strata_{};
  std::vector<block_counts> counts_;  // rows of each class in each block of rows
  std::vector<index_t> giants_;
};

}  // namespace gossamer::analysis
