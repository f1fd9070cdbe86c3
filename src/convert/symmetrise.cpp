// (A + A^T) / 2: each row is a row of A merged with a row of its transpose, both sorted.
#include <numeric>

#include "base/text.hpp"
#include "convert/arrays.hpp"
#include "formats/typed.hpp"
#include "gossamer/convert.hpp"

namespace gossamer {

namespace {

/// f(column, a, b) over the union of two sorted rows; what is missing on one side is 0.
template <class J, class T, class F>
void merge_rows(const csr_view<const T>& a, const csr_view<const T>& b, index_t row, F&& f) {
  const J *const a_columns = detail::raw<J>(a.columns), *const b_columns =
                                                            detail::raw<J>(b.columns);
  index_t p = a.offsets[row], q = b.offsets[row];
  const index_t p_end = a.offsets[row + 1], q_end = b.offsets[row + 1];
  while (p < p_end || q < q_end) {
    const bool take_a = p < p_end && (q == q_end || a_columns[p] <= b_columns[q]);
    const bool take_b = q < q_end && (p == p_end || b_columns[q] <= a_columns[p]);
    const J column = take_a ? a_columns[p] : b_columns[q];
    f(column, take_a ? a.values[p++] : T{0}, take_b ? b.values[q++] : T{0});
  }
}

}  // namespace

template <scalar T>
csr_matrix<T> symmetrise(const context& where, const csr_view<const T>& a) {
  if (a.shape.rows != a.shape.cols)
    throw fail(error_kind::bad_argument,
               "only a square matrix can be made symmetric; this one is {}", shape_text(a.shape));
  const auto here = sum_duplicates(where, a);
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
      merge_rows<J>(left, right, i, [&](J, T, T) { ++count; });
      sums[i] = count;
    });
    prefix_sums(where.threads(), sums.span());
    compressed<T> result(where, a.shape, {sums.data(), sums.size()});
    J* const columns = raw<J>(result.indices);
    all_rows([&](index_t i) {
      index_t at = sums[i];
      merge_rows<J>(left, right, i, [&](J column, T x, T y) {
        columns[at] = column;
        result.values[at++] = std::midpoint(x, y);  // neither overflows nor loses small numbers
      });
    });
    return as_csr(a.shape, std::move(result));
  });
}

template csr_matrix<float> symmetrise(const context&, const csr_view<const float>&);
template csr_matrix<double> symmetrise(const context&, const csr_view<const double>&);

}  // namespace gossamer
