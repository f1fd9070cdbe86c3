// What is computed of whole rows and columns: sums, norms, the diagonal, scaled lines.
#include <cmath>

#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "convert/cuda/device_parts.hpp"
#include "convert/parts/built_rows.hpp"
#include "convert/readable.hpp"
#include "formats/operand.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"
#include "gossamer/structure.hpp"

namespace gossamer::detail {

namespace {

/// Calls body(i) for every row, rows of about equal work together.
template <class T, class Body>
void over_rows(const context& where, const csr_view<const T>& a, Body&& body) {
  parallel_rows(where.threads(), a.offsets, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) body(i);
  });
}

/// The factors as a vector in the memory of the context.
template <scalar T>
dense_view<const T> factors(const context& where, const expression<T>& by, index_t lines,
                            std::string_view what) {
  const operand normal = checked_form(by, "the vector of factors");
  const auto known = facts(normal);
  if (known.format != format::dense || known.shape != extents{lines, 1} ||
      alpha_of<T>(normal) != T{1} || known.conjugated)
    throw fail(error_kind::bad_argument,
               "{} was given to scale {} {}s; expected a dense vector of {}, neither scaled nor "
               "conjugated itself",
               describe(known, "a vector of factors"), lines, what, lines);
  if (known.where != where.memory()->where())
    throw fail(error_kind::bad_argument,
               "the vector of factors lives in {} memory; move it with copy_to", name(known.where));
  return view_as<dense_view<const T>>(normal);
}

template <class T>
void scale_values(const context& where, const csr_view<T>& a, const dense_view<const T>& by,
                  bool by_rows) {
  const index_t step = by.row_step();
  if (by_rows)
    return over_rows(where, csr_view<const T>(a), [&](index_t i) {
      const T factor = by.values[i * step];
      for (index_t p = a.offsets[i], end = a.offsets[i + 1]; p < end; ++p)
        a.values[p] = times(a.values[p], factor);
    });
  with_width(a.columns.width(), [&]<class I>() {
    const I* const columns = static_cast<const I*>(a.columns.data());
    parallel_ranges(where.threads(), a.nnz(), conversion_grain, [&](index_t begin, index_t end) {
      for (index_t p = begin; p < end; ++p)
        a.values[p] = times(a.values[p], by.values[columns[p] * step]);
    });
  });
}

}  // namespace

template <scalar T>
void reduce_rows(const context& where, const csr_view<const T>& a, reduction what, T* y) {
  if (where.backend() == backend::cuda) return cuda::reduce_rows(where, a, what, y);
  over_rows(where, a, [&](index_t i) {
    wide<T> sum = 0;
    for (index_t p = a.offsets[i], end = a.offsets[i + 1]; p < end; ++p)
      sum = reduced(sum, cast<wide<T>>(a.values[p]), what);
    y[i] = cast<T>(what == reduction::norm2 ? wide<T>(std::sqrt(real_part(sum))) : sum);
  });
}

template <scalar T>
void take_diagonal(const context& where, const csr_view<const T>& a, T* y) {
  if (where.backend() == backend::cuda) return cuda::take_diagonal(where, a, y);
  with_width(a.columns.width(), [&]<class I>() {
    over_rows(where, a, [&](index_t i) {
      if (i >= a.shape.cols) return;
      T sum = 0;
      for_each_in_row<I>(a, i, [&](index_t column, T value) { sum += column == i ? value : T{0}; });
      y[i] = sum;
    });
  });
}

template <scalar T>
csr_matrix<T> scaled_lines(const context& where, const csr_view<const T>& a,
                           const expression<T>& by, bool by_rows) try {
  const auto d =
      factors(where, by, by_rows ? a.shape.rows : a.shape.cols, by_rows ? "row" : "column");
  auto result = convert<csr_matrix<T>>(where, a);
  if (where.backend() == backend::cuda)
    cuda::scale_lines(where, result.mutable_view(), d, by_rows);
  else
    scale_values(where, result.mutable_view(), d, by_rows);
  return result;
} catch (const std::bad_alloc&) {
  refuse_memory("a scaled copy");
}

#define GOSSAMER_INSTANTIATE(T)                                                       \
  template void reduce_rows(const context&, const csr_view<const T>&, reduction, T*); \
  template void take_diagonal(const context&, const csr_view<const T>&, T*);          \
  template csr_matrix<T> scaled_lines(const context&, const csr_view<const T>&,       \
                                      const expression<T>&, bool);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::detail
