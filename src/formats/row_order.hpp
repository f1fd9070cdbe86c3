// Whether the rows of a matrix are sorted.
#pragma once

#include "base/parallel_all.hpp"
#include "formats/typed.hpp"

namespace gossamer {

/// True if the column indices of every row ascend and none occurs twice. Row i has the columns
/// column(p) at the positions p of positions_of(i), a range. O(nnz), in parallel; stops early where
/// rows do not ascend.
template <class PositionsOf, class Column>
bool rows_ascend(int threads, index_t rows, PositionsOf&& positions_of, Column&& column) {
  constexpr index_t grain = 4096;  // rows per thread at least; not measured
  return parallel_all(threads, rows, grain, [&](index_t begin, index_t end) {
    bool ascending = true;
    for (index_t row = begin; row < end && ascending; ++row) {
      const range own = positions_of(row);
      for (index_t p = own.begin + 1; p < own.end; ++p) ascending &= column(p - 1) < column(p);
    }
    return ascending;
  });
}

template <class T>
bool rows_ascend(int threads, const csr_view<T>& a) {
  return typed(a, [&](const auto& ref) {
    const auto positions_of = [&](index_t row) {
      return range{static_cast<index_t>(ref.offsets[row]),
                   static_cast<index_t>(ref.offsets[row + 1])};
    };
    return rows_ascend(threads, ref.rows, positions_of, [&](index_t p) { return ref.columns[p]; });
  });
}

/// True if the indices never decrease, as the rows of sorted triplets.
inline bool never_decrease(int threads, index_view indices) {
  constexpr index_t grain = 1 << 16;  // indices per thread at least; not measured
  return detail::with_widths(indices.width(), indices.width(), [&]<class I, class>() {
    const I* const index = detail::raw<I>(indices);
    return parallel_all(threads, indices.size() - 1, grain, [&](index_t begin, index_t end) {
      bool ascending = true;
      for (index_t p = begin; p < end; ++p) ascending &= index[p] <= index[p + 1];
      return ascending;
    });
  });
}

}  // namespace gossamer
