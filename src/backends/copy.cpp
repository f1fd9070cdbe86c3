// Matrices between host and device: each format array by array.
#include "gossamer/copy.hpp"

#include "backends/cuda/arrays.hpp"
#include "backends/cuda/runtime.hpp"
#include "base/text.hpp"
#include "formats/value_types.hpp"

namespace gossamer::detail {

namespace {

using source = std::shared_ptr<memory_resource>;

void copy_array(const context& where, void* to, memory to_where, const void* from,
                memory from_where, std::size_t bytes) {
  if (bytes == 0) return;
  const bool to_host = to_where == memory::host, from_host = from_where == memory::host;
  if (to_host && from_host) {
    std::memcpy(to, from, bytes);
    return;
  }
  if (where.backend() != backend::cuda)
    throw fail(error_kind::bad_argument,
               "{} of device memory were to be copied under a {} context, which has no device; use "
               "the CUDA context they belong to: copy_to_host(gpu, A)",
               bytes_text(static_cast<index_t>(bytes)), name(where.backend()));
  cuda::copy_bytes(where, to, from, bytes,
                   to_host     ? cuda::direction::to_host
                   : from_host ? cuda::direction::to_device
                               : cuda::direction::on_device);
}

template <class T>
buffer<T> copy_values(const context& where, const T* from, index_t count, memory from_where,
                      const source& target) {
  buffer<T> copy(count, target);
  copy_array(where, copy.data(), copy.where(), from, from_where,
             sizeof(T) * static_cast<std::size_t>(count));
  return copy;
}

index_buffer copy_indices(const context& where, index_view from, memory from_where,
                          const source& target) {
  index_buffer copy(from.size(), from.width(), target);
  copy_array(where, copy.view().data(), copy.where(), from.data(), from_where,
             static_cast<std::size_t>(from.size() * bytes(from.width())));
  return copy;
}

/// Copies rows + 1 offsets, also for a matrix without rows that has no array.
index_buffer copy_offsets(const context& where, index_view from, index_t lines, memory from_where,
                          const source& target) {
  if (from.size() == lines + 1) return copy_indices(where, from, from_where, target);
  index_buffer copy(lines + 1, from.width(), target);
  copy.set(0);
  return copy;
}

/// Copies into the arrays of an existing padded matrix.
template <class T>
void fill_places(const context& where, index_view columns, const T* values, memory from_where,
                 index_span to_columns, T* to_values, memory to_where) {
  copy_array(where, to_columns.data(), to_where, columns.data(), from_where,
             static_cast<std::size_t>(columns.size() * bytes(columns.width())));
  copy_array(where, to_values, to_where, values, from_where,
             sizeof(T) * static_cast<std::size_t>(columns.size()));
}

}  // namespace

template <scalar T>
csr_matrix<T> copied(const context& where, const csr_view<const T>& a, const source& target) {
  return {a.shape, copy_offsets(where, a.offsets, a.shape.rows, a.where, target),
          copy_indices(where, a.columns, a.where, target),
          copy_values(where, a.values, a.nnz(), a.where, target)};
}

template <scalar T>
csc_matrix<T> copied(const context& where, const csc_view<const T>& a, const source& target) {
  return {a.shape, copy_offsets(where, a.offsets, a.shape.cols, a.where, target),
          copy_indices(where, a.rows, a.where, target),
          copy_values(where, a.values, a.nnz(), a.where, target)};
}

template <scalar T>
coo_matrix<T> copied(const context& where, const coo_view<const T>& a, const source& target) {
  return {a.shape, copy_indices(where, a.rows, a.where, target),
          copy_indices(where, a.columns, a.where, target),
          copy_values(where, a.values, a.nnz(), a.where, target)};
}

template <scalar T>
ell_matrix<T> copied(const context& where, const ell_view<const T>& a, const source& target) {
  ell_matrix<T> copy(a.shape, a.width, a.stride, a.nnz(), a.columns.width(), target);
  const auto to = copy.mutable_view();
  fill_places(where, a.columns, a.values, a.where, to.columns, to.values, to.where);
  return copy;
}

template <scalar T>
sellp_matrix<T> copied(const context& where, const sellp_view<const T>& a, const source& target) {
  sellp_matrix<T> copy(a.shape, a.slice, a.columns.size() / a.slice,
                       copy_offsets(where, a.slice_offsets, a.slices(), a.where, target),
                       copy_indices(where, a.row_order, a.where, target), a.nnz(), target);
  const auto to = copy.mutable_view();
  if (to.columns.width() != a.columns.width())
    throw fail(error_kind::bad_argument,
               "a SELL-P matrix of {} without a row order has {} columns, expected {}; give it a "
               "row order, or narrow columns",
               shape_text(a.shape), name(a.columns.width()), name(to.columns.width()));
  fill_places(where, a.columns, a.values, a.where, to.columns, to.values, to.where);
  return copy;
}

template <scalar T>
hyb_matrix<T> copied(const context& where, const hyb_view<const T>& a, const source& target) {
  return {copied(where, a.ell, target), copied(where, a.coo, target)};
}

template <scalar T>
dense_matrix<T> copied(const context& where, const dense_view<const T>& a, const source& target) {
  dense_matrix<T> copy(a.shape, a.order, target);
  copy_dense<T>(where, a, copy.mutable_view());
  return copy;
}

namespace {

template <class T>
bool is_packed(const dense_view<T>& v) {
  const bool rows_first = v.order == layout::row_major;
  const index_t inner = rows_first ? v.shape.cols : v.shape.rows;
  const index_t outer = rows_first ? v.shape.rows : v.shape.cols;
  return outer <= 1 || v.stride == inner;
}

/// A vector has the same layout in both orders.
template <class T, class U>
bool same_order(const dense_view<T>& a, const dense_view<U>& b) {
  return a.order == b.order || a.shape.rows <= 1 || a.shape.cols <= 1;
}

template <class T>
void copy_on_one_side(const context& where, const dense_view<const T>& from,
                      const dense_view<T>& to) {
  if (to.where != memory::host) return cuda::copy_elements<T>(where, from, to);
  for (index_t i = 0; i < to.shape.rows; ++i)
    for (index_t j = 0; j < to.shape.cols; ++j) to(i, j) = from(i, j);
}

}  // namespace

template <scalar T>
void copy_dense(const context& where, const dense_view<const T>& from, const dense_view<T>& to) {
  if (from.shape != to.shape)
    throw fail(error_kind::bad_argument, "{} dense values were to be copied into {}",
               shape_text(from.shape), shape_text(to.shape));
  const index_t count = from.shape.rows * from.shape.cols;
  if (count == 0) return;
  if (is_packed(from) && is_packed(to) && same_order(from, to))
    return copy_array(where, to.values, to.where, from.values, from.where,
                      sizeof(T) * static_cast<std::size_t>(count));
  if (from.where == to.where) return copy_on_one_side<T>(where, from, to);
  // Between host and device only contiguous blocks are copied: gaps are removed on the side of the
  // source, then added on the side of the target.
  buffer<T> gathered(count, from.where == memory::host ? host_memory() : where.memory());
  buffer<T> arrived(count, to.where == memory::host ? host_memory() : where.memory());
  const index_t stride = from.order == layout::row_major ? from.shape.cols : from.shape.rows;
  const dense_view<T> there(from.shape, from.order, stride, gathered.data(), from.where);
  const dense_view<T> here(from.shape, from.order, stride, arrived.data(), to.where);
  copy_on_one_side<T>(where, from, there);
  copy_array(where, here.values, here.where, there.values, there.where,
             sizeof(T) * static_cast<std::size_t>(count));
  copy_on_one_side<T>(where, here, to);
}

#define GOSSAMER_INSTANTIATE(T)                                                               \
  template csr_matrix<T> copied(const context&, const csr_view<const T>&, const source&);     \
  template csc_matrix<T> copied(const context&, const csc_view<const T>&, const source&);     \
  template coo_matrix<T> copied(const context&, const coo_view<const T>&, const source&);     \
  template ell_matrix<T> copied(const context&, const ell_view<const T>&, const source&);     \
  template sellp_matrix<T> copied(const context&, const sellp_view<const T>&, const source&); \
  template hyb_matrix<T> copied(const context&, const hyb_view<const T>&, const source&);     \
  template dense_matrix<T> copied(const context&, const dense_view<const T>&, const source&); \
  template void copy_dense(const context&, const dense_view<const T>&, const dense_view<T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::detail
