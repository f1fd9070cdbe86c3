// Views borrow arrays; they are small, trivially copyable and say where the arrays live.
// `T` is `const double` for an input and `double` for something to be written.
#pragma once

#include <concepts>
#include <type_traits>

#include "gossamer/memory.hpp"

namespace gossamer {

template <class T>
using index_view_of = basic_index_view<!std::is_const_v<T>>;

template <class I, class O>
concept stored_pair = stored_index<std::remove_const_t<I>> &&
                      stored_index<std::remove_const_t<O>> && sizeof(I) <= sizeof(O);

/// Compressed rows: row i is entries offsets[i] .. offsets[i+1]. Columns need not be sorted.
template <class T>
struct csr_view {
  using value = std::remove_const_t<T>;
  extents shape;
  index_view_of<T> offsets;  ///< rows + 1
  index_view_of<T> columns;  ///< nnz
  T* values = nullptr;       ///< nnz
  memory where = memory::host;

  csr_view() = default;
  csr_view(extents shape, index_view_of<T> offsets, index_view_of<T> columns, T* values,
           memory where = memory::host)
      : shape(shape), offsets(offsets), columns(columns), values(values), where(where) {}
  /// Your own host arrays, zero copy: values, row offsets, columns, shape.
  template <class O, class I>
  requires stored_pair<I, O> csr_view(T* values, O* offsets, I* columns, extents shape)
      : csr_view(shape, {offsets, shape.rows + 1}, {columns, offsets[shape.rows]}, values) {}
  /// The same of a device: nothing is read, so the number of entries is told.
  template <class O, class I>
  requires stored_pair<I, O> csr_view(T* values, O* offsets, I* columns, extents shape, index_t nnz,
                                      memory where)
      : csr_view(shape, {offsets, shape.rows + 1}, {columns, nnz}, values, where) {}
  template <std::same_as<value> U>
  requires std::is_const_v<T> csr_view(const csr_view<U>& other)
      : csr_view(other.shape, other.offsets, other.columns, other.values, other.where) {}
  index_t nnz() const noexcept { return columns.size(); }
};

/// The structure of a CSR matrix without its values: which entries there are, or, complemented,
/// which there are not. Columns may come in any order, and more than once.
struct pattern {
  extents shape;
  index_view offsets;  ///< rows + 1
  index_view columns;  ///< nnz
  memory where = memory::host;
  bool complemented = false;
  index_t nnz() const noexcept { return columns.size(); }
};

/// Borrows: the arrays must outlive the pattern.
template <class T>
pattern pattern_of(const csr_view<T>& a) {
  return {.shape = a.shape, .offsets = a.offsets, .columns = a.columns, .where = a.where};
}
inline pattern complement(pattern of) {
  of.complemented = !of.complemented;
  return of;
}

/// Compressed columns: column j is entries offsets[j] .. offsets[j+1]. Rows need not be sorted.
template <class T>
struct csc_view {
  using value = std::remove_const_t<T>;
  extents shape;
  index_view_of<T> offsets;  ///< cols + 1
  index_view_of<T> rows;     ///< nnz
  T* values = nullptr;       ///< nnz
  memory where = memory::host;

  csc_view() = default;
  csc_view(extents shape, index_view_of<T> offsets, index_view_of<T> rows, T* values,
           memory where = memory::host)
      : shape(shape), offsets(offsets), rows(rows), values(values), where(where) {}
  /// Your own host arrays, zero copy: values, column offsets, rows, shape.
  template <class O, class I>
  requires stored_pair<I, O> csc_view(T* values, O* offsets, I* rows, extents shape)
      : csc_view(shape, {offsets, shape.cols + 1}, {rows, offsets[shape.cols]}, values) {}
  /// The same of a device: nothing is read, so the number of entries is told.
  template <class O, class I>
  requires stored_pair<I, O> csc_view(T* values, O* offsets, I* rows, extents shape, index_t nnz,
                                      memory where)
      : csc_view(shape, {offsets, shape.cols + 1}, {rows, nnz}, values, where) {}
  template <std::same_as<value> U>
  requires std::is_const_v<T> csc_view(const csc_view<U>& other)
      : csc_view(other.shape, other.offsets, other.rows, other.values, other.where) {}
  index_t nnz() const noexcept { return rows.size(); }
};

/// Triplets in any order; duplicates add up.
template <class T>
struct coo_view {
  using value = std::remove_const_t<T>;
  extents shape;
  index_view_of<T> rows;     ///< nnz
  index_view_of<T> columns;  ///< nnz, same width as rows
  T* values = nullptr;       ///< nnz
  memory where = memory::host;

  coo_view() = default;
  coo_view(extents shape, index_view_of<T> rows, index_view_of<T> columns, T* values,
           memory where = memory::host)
      : shape(shape), rows(rows), columns(columns), values(values), where(where) {}
  template <std::same_as<value> U>
  requires std::is_const_v<T> coo_view(const coo_view<U>& other)
      : coo_view(other.shape, other.rows, other.columns, other.values, other.where) {}
  index_t nnz() const noexcept { return columns.size(); }
};

/// Marks a padded place in ELL and SELL-P. Kernels stop at the first one of a row and never
/// multiply by a padded value, so an Inf or NaN in x cannot leak into rows that do not use it.
inline constexpr index_t padding = -1;

/// ELLPACK: entry k of row i is at k * stride + i; unused places have column `padding`.
template <class T>
struct ell_view {
  using value = std::remove_const_t<T>;
  extents shape;
  index_t width = 0;         ///< places per row
  index_t stride = 0;        ///< >= rows
  index_view_of<T> columns;  ///< width * stride
  T* values = nullptr;       ///< width * stride
  index_t entries = 0;       ///< stored entries without padding
  memory where = memory::host;

  ell_view() = default;
  ell_view(extents shape, index_t width, index_t stride, index_view_of<T> columns, T* values,
           index_t entries, memory where = memory::host)
      : shape(shape),
        width(width),
        stride(stride),
        columns(columns),
        values(values),
        entries(entries),
        where(where) {}
  template <std::same_as<value> U>
  requires std::is_const_v<T> ell_view(const ell_view<U>& other)
      : ell_view(other.shape, other.width, other.stride, other.columns, other.values, other.entries,
                 other.where) {}
  index_t nnz() const noexcept { return entries; }
};

/// SELL-P: slices of `slice` rows, each an ELL block of its own width. Entry k of the r-th row of
/// slice s is at (slice_offsets[s] + k) * slice + r. When rows were sorted by length inside a
/// window, row_order[i] names the matrix row stored at position i; otherwise row_order is empty.
template <class T>
struct sellp_view {
  using value = std::remove_const_t<T>;
  extents shape;
  index_t slice = 64;
  index_view_of<T> slice_offsets;  ///< slices + 1, in units of places per row
  index_view_of<T> columns;        ///< slice_offsets[slices] * slice
  index_view_of<T> row_order;      ///< rows, or empty; same width as columns
  T* values = nullptr;
  index_t entries = 0;  ///< stored entries without padding
  memory where = memory::host;

  sellp_view() = default;
  sellp_view(extents shape, index_t slice, index_view_of<T> slice_offsets, index_view_of<T> columns,
             index_view_of<T> row_order, T* values, index_t entries, memory where = memory::host)
      : shape(shape),
        slice(slice),
        slice_offsets(slice_offsets),
        columns(columns),
        row_order(row_order),
        values(values),
        entries(entries),
        where(where) {}
  template <std::same_as<value> U>
  requires std::is_const_v<T> sellp_view(const sellp_view<U>& other)
      : sellp_view(other.shape, other.slice, other.slice_offsets, other.columns, other.row_order,
                   other.values, other.entries, other.where) {}
  index_t nnz() const noexcept { return entries; }
  index_t slices() const noexcept {
    return slice_offsets.size() > 0 ? slice_offsets.size() - 1 : 0;
  }
};

/// The first entries of each row in ELL, the rest in COO (sorted by row).
template <class T>
struct hyb_view {
  using value = std::remove_const_t<T>;
  ell_view<T> ell;
  coo_view<T> coo;
  extents shape;
  memory where = memory::host;

  hyb_view() = default;
  hyb_view(ell_view<T> ell, coo_view<T> coo)
      : ell(ell), coo(coo), shape(ell.shape), where(ell.where) {}
  template <std::same_as<value> U>
  requires std::is_const_v<T> hyb_view(const hyb_view<U>& other)
      : hyb_view(ell_view<T>(other.ell), coo_view<T>(other.coo)) {}
  index_t nnz() const noexcept { return ell.nnz() + coo.nnz(); }
};

/// Dense, row-major (i, j) at i * stride + j, or column-major at j * stride + i.
template <class T>
struct dense_view {
  using value = std::remove_const_t<T>;
  extents shape;
  layout order = layout::row_major;
  index_t stride = 0;  ///< >= the contiguous dimension
  T* values = nullptr;
  memory where = memory::host;

  dense_view() = default;
  dense_view(extents shape, layout order, index_t stride, T* values, memory where = memory::host)
      : shape(shape), order(order), stride(stride), values(values), where(where) {}
  /// Contiguous row-major.
  dense_view(T* values, extents shape) : dense_view(shape, layout::row_major, shape.cols, values) {}
  /// A contiguous vector: n x 1.
  dense_view(T* values, index_t n, memory where)
      : dense_view({n, 1}, layout::column_major, n, values, where) {}
  template <std::same_as<value> U>
  requires std::is_const_v<T> dense_view(const dense_view<U>& other)
      : dense_view(other.shape, other.order, other.stride, other.values, other.where) {}
  index_t row_step() const noexcept { return order == layout::row_major ? stride : 1; }
  index_t col_step() const noexcept { return order == layout::row_major ? 1 : stride; }
  T& operator()(index_t i, index_t j) const noexcept {
    return values[i * row_step() + j * col_step()];
  }
  index_t nnz() const noexcept { return shape.rows * shape.cols; }
};

}  // namespace gossamer
