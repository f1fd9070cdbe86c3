// A CSR matrix built row by row in two passes: count, then fill.
#pragma once

#include "convert/arrays.hpp"

namespace gossamer {

/// count(i) is the number of nonzeros of row i; fill(i, columns, values) writes them. Counting is
/// shared out by `work`, offsets of rows + 1 that say how much there is to look at in each row.
template <scalar T, class Count, class Fill>
csr_matrix<T> built_rows(const context& where, extents shape, index_view work, Count&& count,
                         Fill&& fill) {
  buffer<index_t> sums(shape.rows + 1, where.memory());
  sums[shape.rows] = 0;
  parallel_rows(where.threads(), work, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) sums[i] = count(i);
  });
  prefix_sums(where.threads(), sums.span());
  const index_view offsets(std::as_const(sums).data(), sums.size());
  compressed<T> result(where, shape, offsets);
  with_width(result.indices.width(), [&]<class J>() {
    J* const columns = raw<J>(result.indices);
    parallel_rows(where.threads(), offsets, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i)
        fill(i, columns + sums[i], result.values.data() + sums[i]);
    });
  });
  return as_csr(shape, std::move(result));
}

/// Calls f(column, value) for the nonzeros of row i.
template <class I, class T, class F>
void for_each_in_row(const csr_view<const T>& a, index_t i, F&& f) {
  const I* const columns = static_cast<const I*>(a.columns.data());
  for (index_t p = a.offsets[i], end = a.offsets[i + 1]; p < end; ++p)
    f(static_cast<index_t>(columns[p]), a.values[p]);
}

}  // namespace gossamer
