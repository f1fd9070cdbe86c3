// Merges two matrices with sorted rows.
#pragma once

#include "formats/typed.hpp"

namespace gossamer {

/// Calls f(column, a, b) over the union of two sorted rows without duplicates; a and b point to the
/// values, or are null where a matrix has no nonzero.
template <class I, class J, class T, class F>
void merge_rows(const csr_view<const T>& a, const csr_view<const T>& b, index_t row, F&& f) {
  const I* const a_columns = detail::raw<I>(a.columns);
  const J* const b_columns = detail::raw<J>(b.columns);
  index_t p = a.offsets[row], q = b.offsets[row];
  const index_t p_end = a.offsets[row + 1], q_end = b.offsets[row + 1];
  while (p < p_end || q < q_end) {
    const bool take_a = p < p_end && (q == q_end || a_columns[p] <= b_columns[q]);
    const bool take_b = q < q_end && (p == p_end || b_columns[q] <= a_columns[p]);
    const index_t column = take_a ? index_t{a_columns[p]} : index_t{b_columns[q]};
    f(column, take_a ? &a.values[p] : nullptr, take_b ? &b.values[q] : nullptr);
    p += take_a;
    q += take_b;
  }
}

}  // namespace gossamer
