// Contiguous columns of the rows of B, computed once per product where it pays: as words of a
// bitmap (bitmap_words.hpp) and as runs (column_runs.hpp). Where columns are contiguous, both take
// fewer steps than there are nonzeros.
#pragma once

#include <optional>

#include "kernels/spgemm/accumulators/bitmap_words.hpp"
#include "kernels/spgemm/accumulators/column_runs.hpp"
#include "plan/problem.hpp"

namespace gossamer {

/// Bitmap words and runs per nonzero: 1 where every column is isolated.
struct row_spread {
  double words = 1, runs = 1;
};

/// Samples at most 256 rows.
template <class Rows>
row_spread sample_spread(const Rows& b, index_t rows) {
  const index_t step = std::max<index_t>(1, rows / 256);
  index_t words = 0, runs = 0, entries = 0;
  for (index_t row = step / 2; row < rows; row += step) {
    detail::for_each_word(b, row, [&](std::uint64_t, std::uint64_t) { ++words; });
    detail::for_each_run(b, row, [&](column_run) { ++runs; });
    entries += b.end(row) - b.begin(row);
  }
  if (entries == 0) return {};
  const auto all = static_cast<double>(entries);
  return {static_cast<double>(words) / all, static_cast<double>(runs) / all};
}

struct contiguous_columns {
  std::optional<bitmap_words> words;
  std::optional<column_runs> runs;
  index_t bytes() const { return (words ? words->bytes() : 0) + (runs ? runs->bytes() : 0); }
};

/// Each use of a nonzero saves the steps that words or runs avoid; building them costs about six
/// such savings. Measured on meshes, R-MAT and random matrices: docs/kernels/spgemm-adaptive.md.
template <class T, class Rows>
contiguous_columns find_clusters(const Rows& b, const problem& p, row_spread spread,
                                 const context& where) {
  constexpr double least_saved = 6;   // steps per nonzero
  constexpr double most_runs = 0.25;  // per nonzero: shorter runs wait for each other's stores
  contiguous_columns output;
  if (p.b.nnz == 0) return output;
  const double uses = static_cast<double>(p.spgemm.flop) / static_cast<double>(p.b.nnz);
  if (uses * (1 - spread.words) >= least_saved && p.result.cols >> 38 == 0)
    output.words = find_words(b, p.b.shape.rows, where);
  if (b.contiguous() && uses * (1 - spread.runs) >= least_saved && spread.runs <= most_runs &&
      p.result.cols >> 31 == 0 && select(run_adders<T>()))
    output.runs = find_runs(b, p.b.shape.rows, where);
  return output;
}

}  // namespace gossamer
