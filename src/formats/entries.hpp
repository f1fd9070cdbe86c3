// The definition of each format: for_each_entry(A, f) calls f(i, j, a_ij) for every stored element,
// in storage order, without padding. Reference kernels, conversions and checks build on it. With a
// range, only that part of the format's outermost loop is visited; major_count is its length.
#pragma once

#include "base/parallel.hpp"
#include "formats/typed.hpp"

namespace gossamer {

template <class T, class I, class O>
index_t major_count(const csr_ref<T, I, O>& a) {
  return a.rows;
}
template <class T, class I, class O, class F>
void for_each_entry(const csr_ref<T, I, O>& a, range rows, F&& f) {
  for (index_t i = rows.begin; i < rows.end; ++i)
    for (index_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p)
      f(i, static_cast<index_t>(a.columns[p]), a.values[p]);
}

template <class T, class I, class O>
index_t major_count(const csc_ref<T, I, O>& a) {
  return a.cols;
}
template <class T, class I, class O, class F>
void for_each_entry(const csc_ref<T, I, O>& a, range columns, F&& f) {
  for (index_t j = columns.begin; j < columns.end; ++j)
    for (index_t p = a.offsets[j]; p < a.offsets[j + 1]; ++p)
      f(static_cast<index_t>(a.row_indices[p]), j, a.values[p]);
}

template <class T, class I>
index_t major_count(const coo_ref<T, I>& a) {
  return a.nnz;
}
template <class T, class I, class F>
void for_each_entry(const coo_ref<T, I>& a, range entries, F&& f) {
  for (index_t p = entries.begin; p < entries.end; ++p)
    f(static_cast<index_t>(a.row_indices[p]), static_cast<index_t>(a.columns[p]), a.values[p]);
}

template <class T, class I>
index_t major_count(const ell_ref<T, I>& a) {
  return a.rows;
}
template <class T, class I, class F>
void for_each_entry(const ell_ref<T, I>& a, range rows, F&& f) {
  for (index_t i = rows.begin; i < rows.end; ++i)
    for (index_t k = 0; k < a.width && a.columns[k * a.stride + i] != padding; ++k)
      f(i, static_cast<index_t>(a.columns[k * a.stride + i]), a.values[k * a.stride + i]);
}

template <class T, class I, class O>
index_t major_count(const sellp_ref<T, I, O>& a) {
  return a.rows;
}
template <class T, class I, class O, class F>
void for_each_entry(const sellp_ref<T, I, O>& a, range positions, F&& f) {
  for (index_t position = positions.begin; position < positions.end; ++position) {
    const index_t s = position / a.slice, r = position % a.slice;
    for (index_t k = a.slice_offsets[s]; k < a.slice_offsets[s + 1]; ++k) {
      const index_t at = k * a.slice + r;
      if (a.columns[at] == padding) break;
      f(a.row_at(position), static_cast<index_t>(a.columns[at]), a.values[at]);
    }
  }
}

/// HYB visits its ELL rows, then its COO nonzeros: positions [0, rows) and [rows, rows + nnz).
template <class T, class I>
index_t major_count(const hyb_ref<T, I>& a) {
  return a.rows + a.coo.nnz;
}
template <class T, class I, class F>
void for_each_entry(const hyb_ref<T, I>& a, range positions, F&& f) {
  for_each_entry(a.ell, {positions.begin, std::min(positions.end, a.rows)}, f);
  for_each_entry(a.coo, {std::max<index_t>(positions.begin - a.rows, 0), positions.end - a.rows},
                 f);
}

/// Visits all of any view, with the widths resolved first.
template <template <class> class View, class T, class F>
void for_each_entry(const View<T>& view, F&& f) {
  typed(view, [&](const auto& a) { for_each_entry(a, range{0, major_count(a)}, f); });
}

}  // namespace gossamer
