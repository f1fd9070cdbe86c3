// Converts compressed rows to triplets and to dense; dense to dense.
#include "convert/cuda/device_conversions.hpp"
#include "convert/from_rows.hpp"
#include "convert/padding.hpp"
#include "convert/row_lengths.hpp"
#include "formats/typed.hpp"

namespace gossamer {

template <scalar T, scalar From>
coo_matrix<T> to_coo(const context& where, const scaled_rows<From>& from) {
  if (from.a.where == memory::device) return cuda::to_coo<T>(where, from);
  const auto& a = from.a;
  coo_matrix<T> result(a.shape, a.nnz(), narrowest(a.shape, 0).indices, where.memory());
  const auto out = result.mutable_view();
  with_two_widths(a.columns.width(), out.columns.width(), [&]<class I, class J>() {
    const I* const columns = detail::raw<I>(a.columns);
    const auto out_rows = out.rows.template as<J>();
    const auto out_columns = out.columns.template as<J>();
    parallel_rows(where.threads(), a.offsets, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) {
        for (index_t p = a.offsets[i], last = a.offsets[i + 1]; p < last; ++p) {
          out_rows[p] = static_cast<J>(i);
          out_columns[p] = static_cast<J>(columns[p]);
          out.values[p] = static_cast<T>(from.alpha * a.values[p]);
        }
      }
    });
  });
  return result;
}

template <scalar T, scalar From>
dense_matrix<T> to_dense(const context& where, const scaled_rows<From>& from,
                         const convert_options& how) {
  if (from.a.where == memory::device) return cuda::to_dense<T>(where, from, how);
  const auto& a = from.a;
  require_reasonable({.format = "dense",
                      .shape = a.shape,
                      .nnz = a.nnz(),
                      .longest_row = longest_row(where, a.offsets),
                      .places = saturating_product(a.shape.rows, a.shape.cols),
                      .values = value_type_of<T>,
                      .way_out = ""},
                     how.padding_limit);
  dense_matrix<T> result(a.shape, how.order, where.memory());
  const auto out = result.mutable_view();
  with_width(a.columns.width(), [&]<class I>() {
    const I* const columns = detail::raw<I>(a.columns);
    parallel_rows(where.threads(), a.offsets, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i)
        for (index_t p = a.offsets[i], last = a.offsets[i + 1]; p < last; ++p)
          out(i, columns[p]) += static_cast<T>(from.alpha * a.values[p]);
    });
  });
  return result;
}

template <scalar T, scalar From>
dense_matrix<T> copy_dense(const context& where, const dense_view<const From>& from, From alpha,
                           layout order) {
  if (from.where == memory::device) return cuda::copy_dense<T>(where, from, alpha, order);
  dense_matrix<T> result(from.shape, order, where.memory());
  const auto out = result.mutable_view();
  // Square tiles: at most one of the two matrices is accessed with a stride, within the cache.
  constexpr index_t tile = 32;
  const index_t bands = (from.shape.rows + tile - 1) / tile;
  const index_t grain = conversion_grain / (tile * std::max<index_t>(from.shape.cols, 1)) + 1;
  parallel_ranges(where.threads(), bands, grain, [&](index_t begin, index_t end) {
    const index_t bottom = std::min(end * tile, from.shape.rows);
    for (index_t top = begin * tile; top < bottom; top += tile)
      for (index_t left = 0; left < from.shape.cols; left += tile)
        for (index_t i = top; i < std::min(top + tile, bottom); ++i)
          for (index_t j = left; j < std::min(left + tile, from.shape.cols); ++j)
            out(i, j) = static_cast<T>(alpha * from(i, j));
  });
  return result;
}

template coo_matrix<float> to_coo(const context&, const scaled_rows<float>&);
template coo_matrix<float> to_coo(const context&, const scaled_rows<double>&);
template coo_matrix<double> to_coo(const context&, const scaled_rows<float>&);
template coo_matrix<double> to_coo(const context&, const scaled_rows<double>&);
template dense_matrix<float> to_dense(const context&, const scaled_rows<float>&,
                                      const convert_options&);
template dense_matrix<float> to_dense(const context&, const scaled_rows<double>&,
                                      const convert_options&);
template dense_matrix<double> to_dense(const context&, const scaled_rows<float>&,
                                       const convert_options&);
template dense_matrix<double> to_dense(const context&, const scaled_rows<double>&,
                                       const convert_options&);
template dense_matrix<float> copy_dense(const context&, const dense_view<const float>&, float,
                                        layout);
template dense_matrix<float> copy_dense(const context&, const dense_view<const double>&, double,
                                        layout);
template dense_matrix<double> copy_dense(const context&, const dense_view<const float>&, float,
                                         layout);
template dense_matrix<double> copy_dense(const context&, const dense_view<const double>&, double,
                                         layout);

}  // namespace gossamer
