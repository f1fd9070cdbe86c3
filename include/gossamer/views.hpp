// Views of matrices. They borrow their arrays, are trivially copyable, and record where the arrays
// are.
// `T` is `const double` for an input and `double` for an output.
#pragma once

#include <concepts>
#include <ranges>
#include <type_traits>

#include "gossamer/memory.hpp"

namespace gossamer {

/// Index arrays of a view of T: writable when its values are.
template <class T>
using index_view_of = basic_index_view<!std::is_const_v<T>>;

/// Index and offset types that a compressed format may combine: offsets are at least as wide.
template <class I, class O>
concept stored_pair = index_integer<std::remove_const_t<I>> &&
                      index_integer<std::remove_const_t<O>> && sizeof(I) <= sizeof(O);

namespace detail {
/// Contiguous arrays that a view may borrow: they live on when the argument is gone.
template <class R>
concept lent_range = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    std::ranges::borrowed_range<R>;
template <class R>
using lent_element = std::remove_reference_t<std::ranges::range_reference_t<R>>;
/// Arrays of a compressed matrix: values of T, offsets, indices.
template <class T, class V, class O, class I>
concept lent_arrays =
    lent_range<V> && lent_range<O> && lent_range<I> && std::convertible_to < lent_element<V>
*, T* > &&stored_pair<lent_element<I>, lent_element<O>>;

/// The last of n + 1 offsets. Without any there are no nonzeros: an empty part of a distributed
/// matrix has null pointers.
template <class O>
index_t last_offset(const O* offsets, index_t n) {
  return offsets != nullptr && n >= 0 ? static_cast<index_t>(offsets[n]) : 0;
}
/// Number of offsets behind a pointer; 0 for the null pointer of a matrix without rows.
template <class O>
index_t offset_count(const O* offsets, index_t n) {
  return offsets == nullptr && n == 0 ? 0 : n + 1;
}
/// Throws error(bad_argument) unless there are as many values as indices.
void require_as_many_values(extents shape, index_t indices, index_t values);
}  // namespace detail

/// Compressed sparse rows: row i is elements offsets[i] .. offsets[i+1]. Columns need not be
/// sorted; duplicates add up.
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
  /// Borrows your own host arrays, zero copy: values, row offsets, columns, shape.
  template <class O, class I>
  requires stored_pair<I, O> csr_view(T* values, O* offsets, I* columns, extents shape)
      : csr_view(shape, {offsets, detail::offset_count(offsets, shape.rows)},
                 {columns, detail::last_offset(offsets, shape.rows)}, values) {}
  /// The same for std::vectors, spans and other contiguous ranges.
  template <class V, class O, class I>
  requires detail::lent_arrays<T, V, O, I> csr_view(V&& values, O&& offsets, I&& columns,
                                                    extents shape)
      : csr_view(shape,
                 {std::ranges::data(offsets), static_cast<index_t>(std::ranges::size(offsets))},
                 {std::ranges::data(columns), static_cast<index_t>(std::ranges::size(columns))},
                 std::ranges::data(values)) {
    detail::require_as_many_values(shape, nnz(), static_cast<index_t>(std::ranges::size(values)));
  }
  /// The same on a device: nothing is read, so nnz is an argument.
  template <class O, class I>
  requires stored_pair<I, O> csr_view(T* values, O* offsets, I* columns, extents shape, index_t nnz,
                                      memory where)
      : csr_view(shape, {offsets, shape.rows + 1}, {columns, nnz}, values, where) {}
  /// A view of non-const values converts to a view of const values.
  template <std::same_as<value> U>
  requires std::is_const_v<T> csr_view(const csr_view<U>& other)
      : csr_view(other.shape, other.offsets, other.columns, other.values, other.where) {}
  /// Number of stored elements, padding not counted.
  index_t nnz() const noexcept { return columns.size(); }
};

/// The structure of a CSR matrix without its values: the positions that are stored or,
/// complemented, those that are not. Columns may be unsorted and may repeat.
struct pattern {
  extents shape;
  index_view offsets;  ///< rows + 1
  index_view columns;  ///< nnz
  memory where = memory::host;
  bool complemented = false;
  /// Number of stored elements, padding not counted.
  index_t nnz() const noexcept { return columns.size(); }
};

/// The pattern of `a`. It borrows: the arrays must outlive the pattern.
template <class T>
pattern pattern_of(const csr_view<T>& a) {
  return {.shape = a.shape, .offsets = a.offsets, .columns = a.columns, .where = a.where};
}
/// The positions that `of` does not have.
inline pattern complement(pattern of) {
  of.complemented = !of.complemented;
  return of;
}

/// Compressed sparse columns: column j is elements offsets[j] .. offsets[j+1]. Rows need not be
/// sorted; duplicates add up.
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
  /// Borrows your own host arrays, zero copy: values, column offsets, rows, shape.
  template <class O, class I>
  requires stored_pair<I, O> csc_view(T* values, O* offsets, I* rows, extents shape)
      : csc_view(shape, {offsets, detail::offset_count(offsets, shape.cols)},
                 {rows, detail::last_offset(offsets, shape.cols)}, values) {}
  /// The same for std::vectors, spans and other contiguous ranges.
  template <class V, class O, class I>
  requires detail::lent_arrays<T, V, O, I> csc_view(V&& values, O&& offsets, I&& rows,
                                                    extents shape)
      : csc_view(shape,
                 {std::ranges::data(offsets), static_cast<index_t>(std::ranges::size(offsets))},
                 {std::ranges::data(rows), static_cast<index_t>(std::ranges::size(rows))},
                 std::ranges::data(values)) {
    detail::require_as_many_values(shape, nnz(), static_cast<index_t>(std::ranges::size(values)));
  }
  /// The same on a device: nothing is read, so nnz is an argument.
  template <class O, class I>
  requires stored_pair<I, O> csc_view(T* values, O* offsets, I* rows, extents shape, index_t nnz,
                                      memory where)
      : csc_view(shape, {offsets, shape.cols + 1}, {rows, nnz}, values, where) {}
  /// A view of non-const values converts to a view of const values.
  template <std::same_as<value> U>
  requires std::is_const_v<T> csc_view(const csc_view<U>& other)
      : csc_view(other.shape, other.offsets, other.rows, other.values, other.where) {}
  /// Number of stored elements, padding not counted.
  index_t nnz() const noexcept { return rows.size(); }
};

/// Coordinate format: triplets in any order; duplicates add up.
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
  /// A view of non-const values converts to a view of const values.
  template <std::same_as<value> U>
  requires std::is_const_v<T> coo_view(const coo_view<U>& other)
      : coo_view(other.shape, other.rows, other.columns, other.values, other.where) {}
  /// Number of stored elements, padding not counted.
  index_t nnz() const noexcept { return columns.size(); }
};

/// Column index of a padded position in ELL and SELL-P. Kernels stop at the first one of a row and
/// never multiply by a padded value, so an Inf or NaN in x cannot leak into rows that do not use
/// it.
inline constexpr index_t padding = -1;

/// ELLPACK: element k of row i is at k * stride + i; unused positions have column `padding`.
template <class T>
struct ell_view {
  using value = std::remove_const_t<T>;
  extents shape;
  index_t width = 0;         ///< positions per row
  index_t stride = 0;        ///< >= rows
  index_view_of<T> columns;  ///< width * stride
  T* values = nullptr;       ///< width * stride
  index_t entries = 0;       ///< stored elements without padding
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
  /// A view of non-const values converts to a view of const values.
  template <std::same_as<value> U>
  requires std::is_const_v<T> ell_view(const ell_view<U>& other)
      : ell_view(other.shape, other.width, other.stride, other.columns, other.values, other.entries,
                 other.where) {}
  /// Number of stored elements, padding not counted.
  index_t nnz() const noexcept { return entries; }
};

/// SELL-P: slices of `slice` rows, each an ELL block of its own width. Element k of the r-th row of
/// slice s is at (slice_offsets[s] + k) * slice + r. When rows were sorted by length within a
/// window, row_order[i] is the matrix row stored at position i; otherwise row_order is empty.
template <class T>
struct sellp_view {
  using value = std::remove_const_t<T>;
  extents shape;
  index_t slice = 64;
  index_view_of<T> slice_offsets;  ///< slices + 1, in positions per row
  index_view_of<T> columns;        ///< slice_offsets[slices] * slice
  index_view_of<T> row_order;      ///< rows, or empty; same width as columns
  T* values = nullptr;
  index_t entries = 0;  ///< stored elements without padding
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
  /// A view of non-const values converts to a view of const values.
  template <std::same_as<value> U>
  requires std::is_const_v<T> sellp_view(const sellp_view<U>& other)
      : sellp_view(other.shape, other.slice, other.slice_offsets, other.columns, other.row_order,
                   other.values, other.entries, other.where) {}
  /// Number of stored elements, padding not counted.
  index_t nnz() const noexcept { return entries; }
  /// Number of slices.
  index_t slices() const noexcept {
    return slice_offsets.size() > 0 ? slice_offsets.size() - 1 : 0;
  }
};

/// Hybrid: the first elements of each row in ELL, the rest in COO (sorted by row).
template <class T>
struct hyb_view {
  using value = std::remove_const_t<T>;
  ell_view<T> ell;
  coo_view<T> coo;
  extents shape;
  memory where = memory::host;

  hyb_view() = default;
  /// Combines two parts of the same shape and memory.
  hyb_view(ell_view<T> ell, coo_view<T> coo)
      : ell(ell), coo(coo), shape(ell.shape), where(ell.where) {}
  /// A view of non-const values converts to a view of const values.
  template <std::same_as<value> U>
  requires std::is_const_v<T> hyb_view(const hyb_view<U>& other)
      : hyb_view(ell_view<T>(other.ell), coo_view<T>(other.coo)) {}
  /// Number of stored elements, padding not counted.
  index_t nnz() const noexcept { return ell.nnz() + coo.nnz(); }
};

/// Dense: element (i, j) is at i * stride + j (row-major) or at j * stride + i (column-major).
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
  /// Contiguous, row-major, on the host.
  dense_view(T* values, extents shape) : dense_view(shape, layout::row_major, shape.cols, values) {}
  /// A contiguous vector: n x 1.
  dense_view(T* values, index_t n, memory where)
      : dense_view({n, 1}, layout::column_major, n, values, where) {}
  /// A view of non-const values converts to a view of const values.
  template <std::same_as<value> U>
  requires std::is_const_v<T> dense_view(const dense_view<U>& other)
      : dense_view(other.shape, other.order, other.stride, other.values, other.where) {}
  /// Distance in memory between neighbours in a column, and in a row.
  index_t row_step() const noexcept { return order == layout::row_major ? stride : 1; }
  index_t col_step() const noexcept { return order == layout::row_major ? 1 : stride; }
  /// Element (i, j); the indices are not checked.
  T& operator()(index_t i, index_t j) const noexcept {
    return values[i * row_step() + j * col_step()];
  }
  /// Number of stored elements, padding not counted.
  index_t nnz() const noexcept { return shape.rows * shape.cols; }
};

}  // namespace gossamer
