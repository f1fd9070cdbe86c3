// Owners of matrices. Each holds its arrays and lends them as views: `M.view()` for reading,
// `M.mutable_view()` for writing; an owner converts to its read-only view implicitly. Copies are
// deep and only for host memory; moves are cheap and leave a 0 x 0 matrix behind.
// Index widths are chosen at run time: the narrowest that is safe unless you say otherwise.
#pragma once

#include <span>

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer {

/// Throws error(overflow) when `nnz` or the shape does not fit the widths, or the pair is 64/32.
void require_fits(extents shape, index_t nnz, widths w);
/// Throws error(bad_argument) on negative dimensions.
void require_valid(extents shape);

/// Compressed sparse rows. See csr_view for the layout.
template <scalar T>
class csr_matrix {
 public:
  using value = T;
  csr_matrix() : csr_matrix(extents{}, 0) {}
  /// Allocates nnz elements; offsets are zero, columns and values are not initialised.
  csr_matrix(extents shape, index_t nnz) : csr_matrix(shape, nnz, narrowest(shape, nnz)) {}
  /// The same with given widths and source; throws error(overflow) when they do not fit.
  csr_matrix(extents shape, index_t nnz, widths w,
             const std::shared_ptr<memory_resource>& source = host_memory());
  /// Takes ownership of the arrays; sizes are checked, contents are not (see validate).
  csr_matrix(extents shape, index_buffer offsets, index_buffer columns, buffer<T> values);

  /// Shape, number of stored elements, widths of the index arrays.
  extents shape() const noexcept { return shape_; }
  index_t rows() const noexcept { return shape_.rows; }
  index_t cols() const noexcept { return shape_.cols; }
  index_t nnz() const noexcept { return values_.size(); }
  widths index_widths() const noexcept { return {columns_.width(), offsets_.width()}; }
  /// The arrays.
  index_view row_offsets() const noexcept { return offsets_.view(); }
  index_view column_indices() const noexcept { return columns_.view(); }
  std::span<const T> values() const noexcept { return values_.span(); }
  std::span<T> values() noexcept { return values_.span(); }
  /// Borrows the arrays, for reading or for writing.
  csr_view<const T> view() const noexcept {
    return {shape_, offsets_.view(), columns_.view(), values_.data(), values_.where()};
  }
  csr_view<T> mutable_view() noexcept {
    return {shape_, offsets_.view(), columns_.view(), values_.data(), values_.where()};
  }
  operator csr_view<const T>() const noexcept { return view(); }
  /// Element (i, j), 0 where nothing is stored. Searches a row: for looking at a few elements.
  /// Throws error(bad_argument) for indices out of range and device memory.
  T operator()(index_t i, index_t j) const;

 private:
  detail::owned_shape shape_;
  index_buffer offsets_, columns_;
  buffer<T> values_;
};

/// The pattern of `a`, which must outlive it.
template <scalar T>
pattern pattern_of(const csr_matrix<T>& a) {
  return pattern_of(a.view());
}
template <scalar T>
pattern pattern_of(csr_matrix<T>&&) = delete;  // the pattern would outlive what it borrows

/// Compressed sparse columns. See csc_view for the layout.
template <scalar T>
class csc_matrix {
 public:
  using value = T;
  csc_matrix() : csc_matrix(extents{}, 0) {}
  /// Allocates nnz elements; offsets are zero, the rest is not initialised.
  csc_matrix(extents shape, index_t nnz) : csc_matrix(shape, nnz, narrowest(shape, nnz)) {}
  /// The same with given widths and source; throws error(overflow) when they do not fit.
  csc_matrix(extents shape, index_t nnz, widths w,
             const std::shared_ptr<memory_resource>& source = host_memory());
  /// Takes ownership of the arrays; sizes are checked, contents are not.
  csc_matrix(extents shape, index_buffer offsets, index_buffer rows, buffer<T> values);

  /// Shape, number of stored elements, widths of the index arrays.
  extents shape() const noexcept { return shape_; }
  index_t rows() const noexcept { return shape_.rows; }
  index_t cols() const noexcept { return shape_.cols; }
  index_t nnz() const noexcept { return values_.size(); }
  widths index_widths() const noexcept { return {rows_.width(), offsets_.width()}; }
  /// The arrays.
  index_view column_offsets() const noexcept { return offsets_.view(); }
  index_view row_indices() const noexcept { return rows_.view(); }
  std::span<const T> values() const noexcept { return values_.span(); }
  std::span<T> values() noexcept { return values_.span(); }
  /// Borrows the arrays, for reading or for writing.
  csc_view<const T> view() const noexcept {
    return {shape_, offsets_.view(), rows_.view(), values_.data(), values_.where()};
  }
  csc_view<T> mutable_view() noexcept {
    return {shape_, offsets_.view(), rows_.view(), values_.data(), values_.where()};
  }
  operator csc_view<const T>() const noexcept { return view(); }
  /// Element (i, j), as for CSR.
  T operator()(index_t i, index_t j) const;

 private:
  detail::owned_shape shape_;
  index_buffer offsets_, rows_;
  buffer<T> values_;
};

/// Coordinate format (triplets). See coo_view for the layout.
template <scalar T>
class coo_matrix {
 public:
  using value = T;
  coo_matrix() : coo_matrix(extents{}, 0) {}
  /// Allocates nnz elements; nothing is initialised.
  coo_matrix(extents shape, index_t nnz) : coo_matrix(shape, nnz, narrowest(shape, 0).indices) {}
  /// The same with given width and source; throws error(overflow) when they do not fit.
  coo_matrix(extents shape, index_t nnz, index_width width,
             const std::shared_ptr<memory_resource>& source = host_memory());
  /// Takes ownership of the arrays; sizes are checked, contents are not.
  coo_matrix(extents shape, index_buffer rows, index_buffer columns, buffer<T> values);

  /// Shape, number of stored elements, widths of the index arrays.
  extents shape() const noexcept { return shape_; }
  index_t rows() const noexcept { return shape_.rows; }
  index_t cols() const noexcept { return shape_.cols; }
  index_t nnz() const noexcept { return values_.size(); }
  widths index_widths() const noexcept { return {rows_.width(), rows_.width()}; }
  /// The arrays.
  index_view row_indices() const noexcept { return rows_.view(); }
  index_view column_indices() const noexcept { return columns_.view(); }
  std::span<const T> values() const noexcept { return values_.span(); }
  std::span<T> values() noexcept { return values_.span(); }
  /// Borrows the arrays, for reading or for writing.
  coo_view<const T> view() const noexcept {
    return {shape_, rows_.view(), columns_.view(), values_.data(), values_.where()};
  }
  coo_view<T> mutable_view() noexcept {
    return {shape_, rows_.view(), columns_.view(), values_.data(), values_.where()};
  }
  operator coo_view<const T>() const noexcept { return view(); }
  /// Element (i, j), as for CSR.
  T operator()(index_t i, index_t j) const;

 private:
  detail::owned_shape shape_;
  index_buffer rows_, columns_;
  buffer<T> values_;
};

/// ELLPACK. See ell_view for the layout.
template <scalar T>
class ell_matrix {
 public:
  using value = T;
  ell_matrix() : ell_matrix(extents{}, 0, 0, 0, index_width::i32) {}
  /// Every position is padding at first. `entries` is what nnz() reports.
  ell_matrix(extents shape, index_t width, index_t stride, index_t entries, index_width indices,
             const std::shared_ptr<memory_resource>& source = host_memory());

  /// Shape, number of stored elements, widths of the index arrays.
  extents shape() const noexcept { return shape_; }
  index_t rows() const noexcept { return shape_.rows; }
  index_t cols() const noexcept { return shape_.cols; }
  index_t nnz() const noexcept { return entries_; }
  index_t width() const noexcept { return width_; }
  index_t stride() const noexcept { return stride_; }
  widths index_widths() const noexcept { return {columns_.width(), columns_.width()}; }
  /// Values as stored, padding included.
  std::span<T> values() noexcept { return values_.span(); }
  std::span<const T> values() const noexcept { return values_.span(); }
  /// Borrows the arrays, for reading or for writing.
  ell_view<const T> view() const noexcept {
    return {shape_, width_, stride_, columns_.view(), values_.data(), entries_, values_.where()};
  }
  ell_view<T> mutable_view() noexcept {
    return {shape_, width_, stride_, columns_.view(), values_.data(), entries_, values_.where()};
  }
  operator ell_view<const T>() const noexcept { return view(); }
  /// Element (i, j), as for CSR.
  T operator()(index_t i, index_t j) const;

 private:
  detail::owned_shape shape_;
  detail::owned_count width_, stride_, entries_;
  index_buffer columns_;
  buffer<T> values_;
};

/// Sliced ELLPACK, SELL-P. See sellp_view for the layout.
template <scalar T>
class sellp_matrix {
 public:
  using value = T;
  sellp_matrix() : sellp_matrix(extents{}, 64, index_buffer(1, index_width::i32), {}, 0) {}
  /// `slice_offsets` determines the storage; every position is padding at first. `row_order` may be
  /// empty (rows stored in matrix order); its width is the width of the column indices.
  sellp_matrix(extents shape, index_t slice, index_buffer slice_offsets, index_buffer row_order,
               index_t entries, const std::shared_ptr<memory_resource>& source = host_memory());
  /// The same, given `height`, the last of the slice offsets, which may be on a device.
  sellp_matrix(extents shape, index_t slice, index_t height, index_buffer&& slice_offsets,
               index_buffer&& row_order, index_t entries,
               const std::shared_ptr<memory_resource>& source);

  /// Shape, number of stored elements, widths of the index arrays.
  extents shape() const noexcept { return shape_; }
  index_t rows() const noexcept { return shape_.rows; }
  index_t cols() const noexcept { return shape_.cols; }
  index_t nnz() const noexcept { return entries_; }
  index_t slice() const noexcept { return slice_; }
  widths index_widths() const noexcept { return {columns_.width(), slice_offsets_.width()}; }
  /// Values as stored, padding included.
  std::span<T> values() noexcept { return values_.span(); }
  std::span<const T> values() const noexcept { return values_.span(); }
  /// Borrows the arrays, for reading or for writing.
  sellp_view<const T> view() const noexcept {
    return {shape_,         slice_,   slice_offsets_.view(), columns_.view(), row_order_.view(),
            values_.data(), entries_, values_.where()};
  }
  sellp_view<T> mutable_view() noexcept {
    return {shape_,         slice_,   slice_offsets_.view(), columns_.view(), row_order_.view(),
            values_.data(), entries_, values_.where()};
  }
  operator sellp_view<const T>() const noexcept { return view(); }
  /// Element (i, j), as for CSR.
  T operator()(index_t i, index_t j) const;

 private:
  detail::owned_shape shape_;
  index_t slice_ = 64;
  detail::owned_count entries_;
  index_buffer slice_offsets_, row_order_, columns_;
  buffer<T> values_;
};

/// Hybrid of ELL and COO. See hyb_view for the layout.
template <scalar T>
class hyb_matrix {
 public:
  using value = T;
  hyb_matrix() = default;
  /// Takes over the two parts, which have the same shape.
  hyb_matrix(ell_matrix<T> ell, coo_matrix<T> coo);

  /// Shape, number of stored elements, widths of the index arrays.
  extents shape() const noexcept { return ell_.shape(); }
  index_t rows() const noexcept { return ell_.rows(); }
  index_t cols() const noexcept { return ell_.cols(); }
  index_t nnz() const noexcept { return ell_.nnz() + coo_.nnz(); }
  widths index_widths() const noexcept { return ell_.index_widths(); }
  /// The two parts.
  const ell_matrix<T>& ell() const noexcept { return ell_; }
  const coo_matrix<T>& coo() const noexcept { return coo_; }
  /// Borrows the arrays, for reading or for writing.
  hyb_view<const T> view() const noexcept { return {ell_.view(), coo_.view()}; }
  hyb_view<T> mutable_view() noexcept { return {ell_.mutable_view(), coo_.mutable_view()}; }
  operator hyb_view<const T>() const noexcept { return view(); }
  /// Element (i, j), as for CSR.
  T operator()(index_t i, index_t j) const;

 private:
  ell_matrix<T> ell_;
  coo_matrix<T> coo_;
};

/// A dense matrix, contiguous. See dense_view for the layout.
template <scalar T>
class dense_matrix {
 public:
  using value = T;
  dense_matrix() = default;
  /// Zero-initialised, contiguous.
  dense_matrix(index_t rows, index_t cols, layout order = layout::row_major)
      : dense_matrix(extents{rows, cols}, order, host_memory()) {}
  /// The same in memory of `source`.
  dense_matrix(extents shape, layout order, const std::shared_ptr<memory_resource>& source);

  /// Shape and layout; the stride is that of contiguous storage.
  extents shape() const noexcept { return shape_; }
  index_t rows() const noexcept { return shape_.rows; }
  index_t cols() const noexcept { return shape_.cols; }
  layout order() const noexcept { return order_; }
  index_t stride() const noexcept {
    return order_ == layout::row_major ? shape_.cols : shape_.rows;
  }
  /// Element (i, j); the indices are not checked. Host memory only.
  T& operator()(index_t i, index_t j) noexcept { return mutable_view()(i, j); }
  const T& operator()(index_t i, index_t j) const noexcept { return view()(i, j); }
  /// Values as stored.
  std::span<T> values() noexcept { return values_.span(); }
  std::span<const T> values() const noexcept { return values_.span(); }
  /// Borrows the arrays, for reading or for writing.
  dense_view<const T> view() const noexcept {
    return {shape_, order_, stride(), values_.data(), values_.where()};
  }
  dense_view<T> mutable_view() noexcept {
    return {shape_, order_, stride(), values_.data(), values_.where()};
  }
  operator dense_view<const T>() const noexcept { return view(); }

 private:
  detail::owned_shape shape_;
  layout order_ = layout::row_major;
  buffer<T> values_;
};

/// A dense vector, n x 1, in the memory of its context. On the host any contiguous range serves as
/// well; on a device x and y are of this type.
template <scalar T>
class vector {
 public:
  using value = T;
  vector() = default;
  /// Allocates zeros.
  vector(const context& where, index_t size) : vector(size, where.memory()) { values_.set(0); }
  /// Allocates without initialising.
  vector(index_t size, const std::shared_ptr<memory_resource>& source) : values_(size, source) {}

  /// Number of elements, and where they are.
  index_t size() const noexcept { return values_.size(); }
  memory where() const noexcept { return values_.where(); }
  /// Address of the first element. The host must not read through a device address.
  T* data() noexcept { return values_.data(); }
  const T* data() const noexcept { return values_.data(); }
  /// Borrows the arrays, for reading or for writing.
  dense_view<const T> view() const noexcept { return {values_.data(), size(), where()}; }
  dense_view<T> mutable_view() noexcept { return {values_.data(), size(), where()}; }
  operator dense_view<const T>() const noexcept { return view(); }

 private:
  buffer<T> values_;
};

extern template class csr_matrix<float>;
extern template class csr_matrix<double>;
extern template class csr_matrix<std::complex<float>>;
extern template class csr_matrix<std::complex<double>>;
extern template class csc_matrix<float>;
extern template class csc_matrix<double>;
extern template class csc_matrix<std::complex<float>>;
extern template class csc_matrix<std::complex<double>>;
extern template class coo_matrix<float>;
extern template class coo_matrix<double>;
extern template class coo_matrix<std::complex<float>>;
extern template class coo_matrix<std::complex<double>>;
extern template class ell_matrix<float>;
extern template class ell_matrix<double>;
extern template class ell_matrix<std::complex<float>>;
extern template class ell_matrix<std::complex<double>>;
extern template class sellp_matrix<float>;
extern template class sellp_matrix<double>;
extern template class sellp_matrix<std::complex<float>>;
extern template class sellp_matrix<std::complex<double>>;
extern template class hyb_matrix<float>;
extern template class hyb_matrix<double>;
extern template class hyb_matrix<std::complex<float>>;
extern template class hyb_matrix<std::complex<double>>;
extern template class dense_matrix<float>;
extern template class dense_matrix<double>;
extern template class dense_matrix<std::complex<float>>;
extern template class dense_matrix<std::complex<double>>;

}  // namespace gossamer
