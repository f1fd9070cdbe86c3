// (A + A^T) / 2: each row is a row of A merged with a row of its transpose, both sorted.
#include <numeric>

#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "convert/arrays.hpp"
#include "convert/merge_rows.hpp"
#include "convert/readable.hpp"
#include "formats/value_types.hpp"
#include "gossamer/convert.hpp"

namespace gossamer {

namespace {

template <scalar T>
T midpoint(const T& x, const T& y) {
  if constexpr (complex_scalar<T>)
    return {std::midpoint(x.real(), y.real()), std::midpoint(x.imag(), y.imag())};
  else
    return std::midpoint(x, y);
}

}  // namespace

template <scalar T>
csr_matrix<T> symmetrise(const context& where, const csr_view<const T>& a) try {
  if (a.shape.rows != a.shape.cols)
    throw fail(error_kind::bad_argument,
               "only a square matrix can be made symmetric; this one is {}", shape_text(a.shape));
  const auto here = sum_duplicates(where, readable(where, a));
  const auto there = transpose(where, here.view());
  const auto left = here.view(), right = there.view();
  buffer<index_t> sums(a.shape.rows + 1, where.memory());
  return with_width(left.columns.width(), [&]<class J>() {
    const auto all_rows = [&](auto&& body) {
      parallel_rows(where.threads(), left.offsets, [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i) body(i);
      });
    };
    all_rows([&](index_t i) {
      index_t count = 0;
      merge_rows<J, J>(left, right, i, [&](index_t, const T*, const T*) { ++count; });
      sums[i] = count;
    });
    prefix_sums(where.threads(), sums.span());
    compressed<T> result(where, a.shape, {sums.data(), sums.size()});
    J* const columns = raw<J>(result.indices);
    all_rows([&](index_t i) {
      index_t at = sums[i];
      merge_rows<J, J>(left, right, i, [&](index_t column, const T* x, const T* y) {
        columns[at] = static_cast<J>(column);
        // Neither overflows nor loses small numbers.
        result.values[at++] = midpoint(x ? *x : T{0}, y ? *y : T{0});
      });
    });
    return as_csr(a.shape, std::move(result));
  });
} catch (const std::bad_alloc&) {
  refuse_memory("a sum");
}

#define GOSSAMER_INSTANTIATE(T) \
  template csr_matrix<T> symmetrise(const context&, const csr_view<const T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
