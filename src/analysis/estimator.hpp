// From counted rows to nnz(C) and its 95 % confidence interval: pure arithmetic.
#pragma once

#include <span>
#include <vector>

#include "analysis/symbolic.hpp"

namespace gossamer::analysis {

/// A class of rows, and its counted rows, drawn at random without replacement.
struct sampled_stratum {
  index_t rows = 0, products = 0;             ///< of the whole class; every row has >= 1
                                              ///< multiplication
  std::vector<index_t> sample_products = {};  ///< of the counted rows
  std::vector<index_t> sample_entries = {};   ///< nnz(C_i) of the same rows
  bool complete() const { return static_cast<index_t>(sample_products.size()) == rows; }
};

/// A row too long to count: between low and high, most likely `estimate`.
struct bounded_row {
  double estimate = 0, low = 0, high = 0;
};

/// Extrapolates from the visited part of a row to all of it.
bounded_row extrapolate(const part_of_row& part, index_t products, index_t columns);

struct entry_interval {
  index_t nnz = 0, low = 0, high = 0;
  bool exact = false;
};

/// Bounds that hold with certainty. The separate ratio estimator is: nnz of a class = its
/// multiplications * (nonzeros / multiplications of its sample).
struct certain_entries {
  index_t known = 0;  ///< nonzeros of rows that are neither in a class nor too long to count
  index_t most = 0;   ///< upper bound on nnz(C)
};
entry_interval combine(std::span<const sampled_stratum> strata, std::span<const bounded_row> giants,
                       certain_entries certain);

/// The factor t of a two-sided 95 % interval from a variance with this many degrees of freedom.
double student_factor(double degrees);

}  // namespace gossamer::analysis
