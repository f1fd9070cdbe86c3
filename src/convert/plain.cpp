// Compressed rows to triplets and to dense; dense to dense.
#include "convert/conversions.hpp"
#include "convert/padding.hpp"
#include "convert/row_lengths.hpp"
#include "convert/triplets.hpp"
#include "formats/typed.hpp"

namespace gossamer {

namespace {

template <scalar T, scalar From>
coo_matrix<T> to_coo(const context& where, const scaled_rows<From>& from, const convert_options&) {
  return to_triplets<T>(where, from, 0, from.a.offsets, from.a.nnz());
}

template <scalar T, scalar From>
dense_matrix<T> to_dense(const context& where, const scaled_rows<From>& from,
                         const convert_options& how) {
  const auto& a = from.a;
  require_reasonable(dense_size(a.shape, a.nnz(), longest_row(where, a.offsets), value_type_of<T>),
                     how.padding_limit);
  dense_matrix<T> result(a.shape, how.order, where.memory());
  const auto out = result.mutable_view();
  with_width(a.columns.width(), [&]<class I>() {
    const I* const columns = detail::raw<I>(a.columns);
    parallel_rows(where.threads(), a.offsets, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i)
        for (index_t p = a.offsets[i], last = a.offsets[i + 1]; p < last; ++p)
          out(i, columns[p]) += cast<T>(scaled_value(from.alpha, a.values[p]));
    });
  });
  return result;
}

template <scalar T, scalar From>
dense_matrix<T> copy_dense(const context& where, const dense_view<const From>& from, From alpha,
                           layout order) {
  dense_matrix<T> result(from.shape, order, where.memory());
  const auto out = result.mutable_view();
  // Square tiles: of the two matrices at most one is walked across its memory, within the cache.
  constexpr index_t tile = 32;  // 8 KB of doubles in each matrix; not measured
  const index_t bands = (from.shape.rows + tile - 1) / tile;
  const index_t grain = conversion_grain / (tile * std::max<index_t>(from.shape.cols, 1)) + 1;
  parallel_ranges(where.threads(), bands, grain, [&](index_t begin, index_t end) {
    const index_t bottom = std::min(end * tile, from.shape.rows);
    for (index_t top = begin * tile; top < bottom; top += tile)
      for (index_t left = 0; left < from.shape.cols; left += tile)
        for (index_t i = top; i < std::min(top + tile, bottom); ++i)
          for (index_t j = left; j < std::min(left + tile, from.shape.cols); ++j)
            out(i, j) = cast<T>(scaled_value(alpha, from(i, j)));
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

}  // namespace gossamer
