// Converts compressed rows to triplets and to dense on a device; dense to dense.
#include "backends/cuda/arrays.hpp"
#include "convert/cuda/entries.cuh"
#include "convert/padding.hpp"

namespace gossamer::cuda {

namespace {

template <scalar T, scalar From>
coo_matrix<T> to_coo(const context& where, const scaled_rows<From>& from, const convert_options&) {
  const device_guard on(where);
  const auto& a = from.a;
  coo_matrix<T> result(a.shape, a.nnz(), narrowest(a.shape, 0).indices, where.memory());
  const auto out = result.mutable_view();
  lines_of_entries(where, a.offsets, out.rows);
  const index_reader columns(a.columns);
  const index_writer out_columns(out.columns);
  const From* const values = a.values;
  const From alpha = from.alpha;
  T* const out_values = out.values;
  for_each(where, a.nnz(), "copying entries", [=] __device__(index_t p) {
    out_columns.set(p, columns[p]);
    out_values[p] = static_cast<T>(scaled_value(alpha, values[p]));
  });
  return result;
}

template <scalar T, scalar From>
dense_matrix<T> to_dense(const context& where, const scaled_rows<From>& from,
                         const convert_options& how) {
  const device_guard on(where);
  const auto& a = from.a;
  require_reasonable(dense_size(a.shape, a.nnz(), longest_line(where, a.offsets), value_type_of<T>),
                     how.padding_limit);
  dense_matrix<T> result(a.shape, how.order, where.memory());
  const auto out = result.mutable_view();
  const index_t row_step = out.row_step(), col_step = out.col_step();
  const index_reader offsets(a.offsets), columns(a.columns);
  const From* const values = a.values;
  const From alpha = from.alpha;
  T* const out_values = out.values;
  // One thread per row: duplicates are added in order.
  for_each(where, a.shape.rows, "filling rows", [=] __device__(index_t i) {
    for (index_t p = offsets[i], last = offsets[i + 1]; p < last; ++p)
      out_values[i * row_step + columns[p] * col_step] +=
          static_cast<T>(scaled_value(alpha, values[p]));
  });
  return result;
}

template <scalar T, scalar From>
dense_matrix<T> copy_dense(const context& where, const dense_view<const From>& from, From alpha,
                           layout order) {
  const device_guard on(where);
  dense_matrix<T> result(from.shape, order, where.memory());
  const auto out = result.mutable_view();
  const index_t row_step = from.row_step(), col_step = from.col_step();
  const index_t out_row_step = out.row_step(), out_col_step = out.col_step();
  const index_t inner = order == layout::row_major ? from.shape.cols : from.shape.rows;
  const bool by_rows = order == layout::row_major;
  const From* const values = from.values;
  T* const out_values = out.values;
  for_each(where, from.shape.rows * from.shape.cols, "copying a dense matrix",
           [=] __device__(index_t e) {
             const index_t far = e / inner, near = e % inner;
             const index_t i = by_rows ? far : near, j = by_rows ? near : far;
             out_values[i * out_row_step + j * out_col_step] =
                 static_cast<T>(scaled_value(alpha, values[i * row_step + j * col_step]));
           });
  return result;
}

}  // namespace

void enter_plain(conversion_table& table) {
  table.for_each_type([]<class T>(conversions<T>& to) {
    to.to_coo = to_coo<T, T>;
    to.to_dense = to_dense<T, T>;
    to.copy_dense = copy_dense<T, T>;
  });
}

}  // namespace gossamer::cuda
