#include "gossamer/matrix.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "formats/value_types.hpp"
#include "gossamer/elements.hpp"

namespace gossamer {

void require_valid(extents shape) {
  if (shape.rows < 0 || shape.cols < 0)
    throw fail(error_kind::bad_argument,
               "a matrix of {} was asked for; dimensions must not be negative", shape_text(shape));
  constexpr index_t most = std::numeric_limits<index_t>::max() / 2;  // rows + 1 stays safe
  if (shape.rows > most || shape.cols > most)
    throw fail(error_kind::overflow, "a matrix of {} was asked for; dimensions end at 2^62",
               shape_text(shape));
}

void require_fits(extents shape, index_t nnz, widths w) {
  require_valid(shape);
  if (w.indices == index_width::i64 && w.offsets == index_width::i32)
    throw fail(error_kind::bad_argument,
               "64-bit indices with 32-bit offsets are not supported; use 32/32, 32/64 or 64/64");
  const auto needed = narrowest(shape, nnz);
  if (bytes(needed.indices) > bytes(w.indices) || bytes(needed.offsets) > bytes(w.offsets))
    throw fail(error_kind::overflow,
               "a {} matrix with {} entries does not fit {} indices and {} offsets (both end at "
               "2,147,483,647 when 32 bit); use 64 bit",
               shape_text(shape), count_text(nnz), name(w.indices), name(w.offsets));
}

namespace {

index_buffer zeros(index_t size, index_width width,
                   const std::shared_ptr<memory_resource>& source) {
  index_buffer indices(size, width, source);
  indices.set(0);
  return indices;
}

void require_sizes(extents shape, index_t offsets, index_t major, index_t indices, index_t values,
                   const char* what) {
  require_valid(shape);
  if (offsets != major + 1 || indices != values)
    throw fail(error_kind::bad_argument,
               "a {} {} matrix was given {} offsets (expected {}), {} indices and {} values "
               "(expected as many of each)",
               shape_text(shape), what, offsets, major + 1, indices, values);
}

// Every position of a padded format starts as padding: column -1, value 0.
template <class T>
void fill_padding(index_buffer& columns, buffer<T>& values) {
  columns.set(0xff);
  values.set(0);
}

index_t product(index_t a, index_t b, const char* what) {
  index_t result = 0;
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &result))
    throw fail(error_kind::overflow, "{}: {} times {} places do not fit 64 bits", what, a, b);
  return result;
}

/// The height of all slices together; 0 without rows.
index_t last_of(const index_buffer& slice_offsets, index_t rows) {
  if (slice_offsets.where() != memory::host)
    throw fail(error_kind::bad_argument,
               "the slice offsets of a SELL-P matrix are on a device; tell its height as well");
  return rows == 0 || slice_offsets.size() == 0 ? 0
                                                : slice_offsets.view()[slice_offsets.size() - 1];
}

/// Throws unless a padded format has a position for every nonzero it reports.
void require_room(const char* what, extents shape, index_t entries, index_t places) {
  if (entries < 0 || entries > places)
    throw fail(error_kind::bad_argument,
               "a {} matrix of {} has {} places, but {} entries were "
               "announced",
               what, shape_text(shape), places, entries);
}

}  // namespace

template <scalar T>
csr_matrix<T>::csr_matrix(extents shape, index_t nnz, widths w,
                          const std::shared_ptr<memory_resource>& source)
    : shape_((require_fits(shape, nnz, w), shape)),
      offsets_(zeros(shape.rows + 1, w.offsets, source)),
      columns_(nnz, w.indices, source),
      values_(nnz, source) {}

template <scalar T>
csr_matrix<T>::csr_matrix(extents shape, index_buffer offsets, index_buffer columns,
                          buffer<T> values)
    : shape_(shape),
      offsets_(std::move(offsets)),
      columns_(std::move(columns)),
      values_(std::move(values)) {
  require_sizes(shape, offsets_.size(), shape.rows, columns_.size(), values_.size(), "CSR");
  require_fits(shape, values_.size(), {columns_.width(), offsets_.width()});
}

template <scalar T>
csc_matrix<T>::csc_matrix(extents shape, index_t nnz, widths w,
                          const std::shared_ptr<memory_resource>& source)
    : shape_((require_fits(shape, nnz, w), shape)),
      offsets_(zeros(shape.cols + 1, w.offsets, source)),
      rows_(nnz, w.indices, source),
      values_(nnz, source) {}

template <scalar T>
csc_matrix<T>::csc_matrix(extents shape, index_buffer offsets, index_buffer rows, buffer<T> values)
    : shape_(shape),
      offsets_(std::move(offsets)),
      rows_(std::move(rows)),
      values_(std::move(values)) {
  require_sizes(shape, offsets_.size(), shape.cols, rows_.size(), values_.size(), "CSC");
  require_fits(shape, values_.size(), {rows_.width(), offsets_.width()});
}

template <scalar T>
coo_matrix<T>::coo_matrix(extents shape, index_t nnz, index_width width,
                          const std::shared_ptr<memory_resource>& source)
    : shape_((require_fits(shape, 0, {width, index_width::i64}), shape)),
      rows_(nnz, width, source),
      columns_(nnz, width, source),
      values_(nnz, source) {}

template <scalar T>
coo_matrix<T>::coo_matrix(extents shape, index_buffer rows, index_buffer columns, buffer<T> values)
    : shape_(shape),
      rows_(std::move(rows)),
      columns_(std::move(columns)),
      values_(std::move(values)) {
  require_fits(shape, 0, {columns_.width(), index_width::i64});
  if (rows_.size() != values_.size() || columns_.size() != values_.size() ||
      rows_.width() != columns_.width())
    throw fail(error_kind::bad_argument,
               "a COO matrix was given {} {} rows, {} {} columns and {} values; expected as many "
               "of each and one width",
               rows_.size(), name(rows_.width()), columns_.size(), name(columns_.width()),
               values_.size());
}

template <scalar T>
ell_matrix<T>::ell_matrix(extents shape, index_t width, index_t stride, index_t entries,
                          index_width indices, const std::shared_ptr<memory_resource>& source)
    : shape_((require_fits(shape, 0, {indices, index_width::i64}), shape)),
      width_(width),
      stride_(stride),
      entries_(entries),
      columns_(product(width, stride, "ELL"), indices, source),
      values_(product(width, stride, "ELL"), source) {
  if (stride < shape.rows)
    throw fail(error_kind::bad_argument,
               "an ELL matrix of {} was given stride {}; expected at least the number of rows",
               shape_text(shape), stride);
  require_room("ELL", shape, entries, values_.size());
  fill_padding(columns_, values_);
}

template <scalar T>
sellp_matrix<T>::sellp_matrix(extents shape, index_t slice, index_buffer slice_offsets,
                              index_buffer row_order, index_t entries,
                              const std::shared_ptr<memory_resource>& source)
    : sellp_matrix(shape, slice, last_of(slice_offsets, shape.rows), std::move(slice_offsets),
                   std::move(row_order), entries, source) {}

template <scalar T>
sellp_matrix<T>::sellp_matrix(extents shape, index_t slice, index_t height,
                              index_buffer&& slice_offsets, index_buffer&& row_order,
                              index_t entries, const std::shared_ptr<memory_resource>& source)
    : shape_(shape),
      slice_(slice),
      entries_(entries),
      slice_offsets_(std::move(slice_offsets)),
      row_order_(std::move(row_order)) {
  require_valid(shape);
  const index_t slices = slice_offsets_.size() - 1;
  if (slice < 1 || slices != (shape.rows == 0 ? 0 : (shape.rows - 1) / slice + 1) ||
      (row_order_.size() != 0 && row_order_.size() != shape.rows))
    throw fail(error_kind::bad_argument,
               "a SELL-P matrix of {} with slices of {} rows was given {} slice offsets and a row "
               "order of {}",
               shape_text(shape), slice, slice_offsets_.size(), row_order_.size());
  if (shape.rows == 0 && slice_offsets_.size() == 1) slice_offsets_.set(0);  // the default matrix
  const auto indices = row_order_.size() != 0 ? row_order_.width() : narrowest(shape, 0).indices;
  require_fits(shape, std::max<index_t>(height, 0), {indices, slice_offsets_.width()});
  const index_t places = product(height, slice, "SELL-P");
  require_room("SELL-P", shape, entries, places);
  columns_ = index_buffer(places, indices, source);
  values_ = buffer<T>(places, source);
  fill_padding(columns_, values_);
}

template <scalar T>
hyb_matrix<T>::hyb_matrix(ell_matrix<T> ell, coo_matrix<T> coo)
    : ell_(std::move(ell)), coo_(std::move(coo)) {
  if (ell_.shape() != coo_.shape())
    throw fail(error_kind::bad_argument, "the ELL part of a HYB matrix is {}, its COO part {}",
               shape_text(ell_.shape()), shape_text(coo_.shape()));
  if (ell_.index_widths().indices != coo_.index_widths().indices)
    throw fail(error_kind::bad_argument,
               "the ELL part of a HYB matrix has {} indices, its COO part {}; expected one width",
               name(ell_.index_widths().indices), name(coo_.index_widths().indices));
}

template <scalar T>
dense_matrix<T>::dense_matrix(extents shape, layout order,
                              const std::shared_ptr<memory_resource>& source)
    : shape_((require_valid(shape), shape)),
      order_(order),
      values_(product(shape.rows, shape.cols, "dense matrix"), source) {
  values_.set(0);
}

template <scalar T>
T csr_matrix<T>::operator()(index_t i, index_t j) const {
  return value_at(*this, i, j);
}
template <scalar T>
T csc_matrix<T>::operator()(index_t i, index_t j) const {
  return value_at(*this, i, j);
}
template <scalar T>
T coo_matrix<T>::operator()(index_t i, index_t j) const {
  return value_at(*this, i, j);
}
template <scalar T>
T ell_matrix<T>::operator()(index_t i, index_t j) const {
  return value_at(*this, i, j);
}
template <scalar T>
T sellp_matrix<T>::operator()(index_t i, index_t j) const {
  return value_at(*this, i, j);
}
template <scalar T>
T hyb_matrix<T>::operator()(index_t i, index_t j) const {
  return value_at(*this, i, j);
}

#define GOSSAMER_INSTANTIATE(T)   \
  template class csr_matrix<T>;   \
  template class csc_matrix<T>;   \
  template class coo_matrix<T>;   \
  template class ell_matrix<T>;   \
  template class sellp_matrix<T>; \
  template class hyb_matrix<T>;   \
  template class dense_matrix<T>;
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
