// What each format means, said once: for_each_entry(A, f) calls f(i, j, a_ij) for every stored
// entry, in storage order, padding left out. Reference kernels, conversions and checks build on it.
#pragma once

#include "formats/typed.hpp"

namespace gossamer {

template <class T, class I, class O, class F>
void for_each_entry(const csr_ref<T, I, O>& a, F&& f) {
  for (index_t i = 0; i < a.rows; ++i)
    for (index_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p)
      f(i, static_cast<index_t>(a.columns[p]), a.values[p]);
}

template <class T, class I, class O, class F>
void for_each_entry(const csc_ref<T, I, O>& a, F&& f) {
  for (index_t j = 0; j < a.cols; ++j)
    for (index_t p = a.offsets[j]; p < a.offsets[j + 1]; ++p)
      f(static_cast<index_t>(a.row_indices[p]), j, a.values[p]);
}

template <class T, class I, class F>
void for_each_entry(const coo_ref<T, I>& a, F&& f) {
  for (index_t p = 0; p < a.nnz; ++p)
    f(static_cast<index_t>(a.row_indices[p]), static_cast<index_t>(a.columns[p]), a.values[p]);
}

template <class T, class I, class F>
void for_each_entry(const ell_ref<T, I>& a, F&& f) {
  for (index_t i = 0; i < a.rows; ++i)
    for (index_t k = 0; k < a.width && a.columns[k * a.stride + i] != padding; ++k)
      f(i, static_cast<index_t>(a.columns[k * a.stride + i]), a.values[k * a.stride + i]);
}

template <class T, class I, class O, class F>
void for_each_entry(const sellp_ref<T, I, O>& a, F&& f) {
  for (index_t position = 0; position < a.rows; ++position) {
    const index_t s = position / a.slice, r = position % a.slice;
    for (index_t k = a.slice_offsets[s]; k < a.slice_offsets[s + 1]; ++k) {
      const index_t at = k * a.slice + r;
      if (a.columns[at] == padding) break;
      f(a.row_at(position), static_cast<index_t>(a.columns[at]), a.values[at]);
    }
  }
}

template <class T, class I, class F>
void for_each_entry(const hyb_ref<T, I>& a, F&& f) {
  for_each_entry(a.ell, f);
  for_each_entry(a.coo, f);
}

/// Any view: the widths are resolved first.
template <template <class> class View, class T, class F>
void for_each_entry(const View<T>& view, F&& f) {
  typed(view, [&](const auto& a) { for_each_entry(a, f); });
}

}  // namespace gossamer
