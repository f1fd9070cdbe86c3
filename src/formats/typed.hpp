// From run-time index widths to types: kernels are written over these plain structs, one template
// parameter per array. `typed(view, f)` calls f with the struct for the widths the view has.
#pragma once

#include "gossamer/views.hpp"

namespace gossamer {

template <class T, class I, class O>
struct csr_ref {
  using value = std::remove_const_t<T>;
  using index = I;
  using offset = O;
  index_t rows = 0, cols = 0;
  const O* offsets = nullptr;
  const I* columns = nullptr;
  T* values = nullptr;
  index_t entries = 0;  ///< stored, not read: offsets may be on a device
  constexpr index_t nnz() const { return entries; }
};

template <class T, class I, class O>
struct csc_ref {
  using value = std::remove_const_t<T>;
  index_t rows = 0, cols = 0;
  const O* offsets = nullptr;
  const I* row_indices = nullptr;
  T* values = nullptr;
  index_t entries = 0;
  constexpr index_t nnz() const { return entries; }
};

template <class T, class I>
struct coo_ref {
  using value = std::remove_const_t<T>;
  index_t rows = 0, cols = 0, nnz = 0;
  const I* row_indices = nullptr;
  const I* columns = nullptr;
  T* values = nullptr;
};

template <class T, class I>
struct ell_ref {
  using value = std::remove_const_t<T>;
  index_t rows = 0, cols = 0, width = 0, stride = 0;
  const I* columns = nullptr;
  T* values = nullptr;
};

template <class T, class I, class O>
struct sellp_ref {
  using value = std::remove_const_t<T>;
  index_t rows = 0, cols = 0, slice = 0, slices = 0;
  const O* slice_offsets = nullptr;
  const I* columns = nullptr;
  const I* row_order = nullptr;  ///< null: rows in matrix order
  T* values = nullptr;
  constexpr index_t row_at(index_t position) const {
    return row_order ? row_order[position] : position;
  }
};

template <class T, class I>
struct hyb_ref {
  using value = std::remove_const_t<T>;
  ell_ref<T, I> ell;
  coo_ref<T, I> coo;
  index_t rows = 0, cols = 0;
};

namespace detail {
template <class I>
const I* raw(index_view view) {
  return static_cast<const I*>(view.data());
}
/// Calls f.template operator()<I, O>() for the three pairs of widths.
template <class F>
decltype(auto) with_widths(index_width indices, index_width offsets, F&& f) {
  if (indices == index_width::i64) return f.template operator()<std::int64_t, std::int64_t>();
  if (offsets == index_width::i64) return f.template operator()<std::int32_t, std::int64_t>();
  return f.template operator()<std::int32_t, std::int32_t>();
}
}  // namespace detail

template <class T, class F>
decltype(auto) typed(const csr_view<T>& v, F&& f) {
  return detail::with_widths(
      v.columns.width(), v.offsets.width(), [&]<class I, class O>() -> decltype(auto) {
        return f(csr_ref<T, I, O>{v.shape.rows, v.shape.cols, detail::raw<O>(v.offsets),
                                  detail::raw<I>(v.columns), v.values, v.nnz()});
      });
}

template <class T, class F>
decltype(auto) typed(const csc_view<T>& v, F&& f) {
  return detail::with_widths(
      v.rows.width(), v.offsets.width(), [&]<class I, class O>() -> decltype(auto) {
        return f(csc_ref<T, I, O>{v.shape.rows, v.shape.cols, detail::raw<O>(v.offsets),
                                  detail::raw<I>(v.rows), v.values, v.nnz()});
      });
}

template <class I, class T>
coo_ref<T, I> typed_coo(const coo_view<T>& v) {
  return {v.shape.rows, v.shape.cols, v.nnz(), detail::raw<I>(v.rows), detail::raw<I>(v.columns),
          v.values};
}
template <class T, class F>
decltype(auto) typed(const coo_view<T>& v, F&& f) {
  return v.columns.width() == index_width::i32 ? f(typed_coo<std::int32_t>(v))
                                               : f(typed_coo<std::int64_t>(v));
}

template <class I, class T>
ell_ref<T, I> typed_ell(const ell_view<T>& v) {
  return {v.shape.rows, v.shape.cols, v.width, v.stride, detail::raw<I>(v.columns), v.values};
}
template <class T, class F>
decltype(auto) typed(const ell_view<T>& v, F&& f) {
  return v.columns.width() == index_width::i32 ? f(typed_ell<std::int32_t>(v))
                                               : f(typed_ell<std::int64_t>(v));
}

template <class T, class F>
decltype(auto) typed(const sellp_view<T>& v, F&& f) {
  return detail::with_widths(
      v.columns.width(), v.slice_offsets.width(), [&]<class I, class O>() -> decltype(auto) {
        return f(sellp_ref<T, I, O>{v.shape.rows, v.shape.cols, v.slice, v.slices(),
                                    detail::raw<O>(v.slice_offsets), detail::raw<I>(v.columns),
                                    v.row_order.size() > 0 ? detail::raw<I>(v.row_order) : nullptr,
                                    v.values});
      });
}

template <class T, class F>
decltype(auto) typed(const hyb_view<T>& v, F&& f) {
  if (v.ell.columns.width() == index_width::i32)
    return f(hyb_ref<T, std::int32_t>{typed_ell<std::int32_t>(v.ell),
                                      typed_coo<std::int32_t>(v.coo), v.shape.rows, v.shape.cols});
  return f(hyb_ref<T, std::int64_t>{typed_ell<std::int64_t>(v.ell), typed_coo<std::int64_t>(v.coo),
                                    v.shape.rows, v.shape.cols});
}

}  // namespace gossamer
