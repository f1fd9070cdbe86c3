// How rows of A relate to the rows before them: whether they have the same columns, so that loads
// of B can be shared, or columns far from theirs, so that rows of B have to be prefetched.
#pragma once

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"
#include "formats/typed.hpp"

namespace gossamer {

/// Whether two rows have the same columns in the same order; no row does whose length is below 2.
template <class I>
bool same_columns(const I* columns, range one, range other) {
  const index_t length = one.end - one.begin;
  if (length < 2 || other.end - other.begin != length) return false;
  const I *a = columns + one.begin, *b = columns + other.begin;
  if (a[0] != b[0] || a[length - 1] != b[length - 1]) return false;
  return std::memcmp(a, b, static_cast<std::size_t>(length) * sizeof(I)) == 0;
}

/// Shares of the nonzeros in a few sampled rows.
struct neighbour_sample {
  double repeated = 0;  ///< in rows with the columns of the row before
  double far = 0;       ///< more than near_columns away from every column of the row before
};

inline constexpr index_t near_columns = 8;

/// Columns of row `other` that are far from all of row `one`. Assumes sorted rows: others may count
/// as far.
template <class I>
index_t far_columns(const I* columns, range one, range other) {
  index_t far = 0, q = one.begin;
  for (index_t p = other.begin; p < other.end; ++p) {
    const index_t j = columns[p];
    while (q < one.end && columns[q] < j - near_columns) ++q;
    far += q == one.end || columns[q] > j + near_columns ? 1 : 0;
  }
  return far;
}

/// Looks at 32 pairs of rows, at most 32 nonzeros of each: below a microsecond.
template <class T, class I, class O>
neighbour_sample sample_neighbours(const csr_ref<const T, I, O>& a) {
  constexpr index_t pairs = 32, most = 32;
  index_t seen = 0, repeated = 0, far = 0;
  for (index_t k = 0; a.rows >= 2 && k < pairs; ++k) {
    const index_t r = (2 * k + 1) * (a.rows - 1) / (2 * pairs);
    const range one{a.offsets[r], a.offsets[r + 1]}, other{one.end, a.offsets[r + 2]};
    const auto first = [](range all) {
      return range{all.begin, std::min(all.end, all.begin + most)};
    };
    seen += first(other).end - other.begin;
    if (one.end - one.begin == other.end - other.begin &&
        same_columns(a.columns, first(one), first(other)))
      repeated += first(other).end - other.begin;
    else
      far += far_columns(a.columns, first(one), first(other));
  }
  const auto share = [&](index_t of) {
    return seen == 0 ? 0.0 : static_cast<double>(of) / static_cast<double>(seen);
  };
  return {share(repeated), share(far)};
}

}  // namespace gossamer
