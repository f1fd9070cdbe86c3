// Sums of matrices over the addition of a semiring.
#include "distributed/products/merge_rows.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "gossamer/convert.hpp"
#include "gossamer/semirings.hpp"

namespace gossamer::mpi {
namespace {

enum class addition { plus, min, max };

addition addition_of(semiring over) {
  switch (over) {
    case semiring::plus_times:
    case semiring::plus_pair:
    case semiring::plus_first:
    case semiring::plus_second: return addition::plus;
    case semiring::min_plus:
    case semiring::min_first:
    case semiring::min_second:
    case semiring::min_times: return addition::min;
    case semiring::max_plus:
    case semiring::max_first:
    case semiring::max_second:
    case semiring::max_times:
    case semiring::max_min:
    case semiring::or_and:
    case semiring::any_pair: return addition::max;  // of zeros and ones
  }
  throw error(error_kind::bad_argument, "a semiring that products over layers do not know");
}

/// Calls f(column, values of x and y, which of them are there) along one row.
template <real_scalar T, class F>
void along(const csr_view<const T>& x, const csr_view<const T>& y, index_t row, F&& f) {
  index_t k = x.offsets[row], m = y.offsets[row];
  const index_t k_end = x.offsets[row + 1], m_end = y.offsets[row + 1];
  while (k < k_end || m < m_end) {
    const index_t left = k < k_end ? x.columns[k] : x.shape.cols;
    const index_t right = m < m_end ? y.columns[m] : x.shape.cols;
    f(left < right ? left : right, left <= right ? &x.values[k] : nullptr,
      right <= left ? &y.values[m] : nullptr);
    k += left <= right ? 1 : 0;
    m += right <= left ? 1 : 0;
  }
}

template <class Add, scalar T>
csr_matrix<T> merged(const context& where, const csr_view<const T>& x, const csr_view<const T>& y) {
  buffer<index_t> offsets(x.shape.rows + 1, where.memory());
  offsets[0] = 0;
  for (index_t i = 0; i < x.shape.rows; ++i) {
    index_t count = 0;
    along(x, y, i, [&](index_t, const T*, const T*) { ++count; });
    offsets[i + 1] = offsets[i] + count;
  }
  const index_t nnz = offsets[x.shape.rows];
  csr_matrix<T> sum(x.shape, nnz, {narrowest(x.shape, nnz).indices, index_width::i64},
                    where.memory());
  const auto to = sum.mutable_view();
  std::copy_n(offsets.data(), offsets.size(), static_cast<index_t*>(to.offsets.data()));
  index_t at = 0;
  for (index_t i = 0; i < x.shape.rows; ++i)
    along(x, y, i, [&](index_t column, const T* left, const T* right) {
      if (to.columns.width() == index_width::i32)
        static_cast<std::int32_t*>(to.columns.data())[at] = static_cast<std::int32_t>(column);
      else
        static_cast<std::int64_t*>(to.columns.data())[at] = column;
      T value = left != nullptr ? *left : *right;
      if (left != nullptr && right != nullptr) Add::add(value, *right);
      to.values[at++] = value;
    });
  return sum;
}

}  // namespace

template <real_scalar T>
csr_matrix<T> merge_rows(const context& where, semiring over, const csr_view<const T>& x,
                         const csr_view<const T>& y) {
  switch (addition_of(over)) {
    case addition::min: return merged<semirings::min_plus<T>>(where, x, y);
    case addition::max: return merged<semirings::max_plus<T>>(where, x, y);
    case addition::plus: break;
  }
  return add(where, x, y);
}

template csr_matrix<float> merge_rows(const context&, semiring, const csr_view<const float>&,
                                      const csr_view<const float>&);
template csr_matrix<double> merge_rows(const context&, semiring, const csr_view<const double>&,
                                       const csr_view<const double>&);

}  // namespace gossamer::mpi
