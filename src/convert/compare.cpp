// Equality and closeness of matrices. Operands that are not CSR are converted, and rows are
// compared in parallel.
#include "gossamer/compare.hpp"

#include <cmath>
#include <cstring>

#include "base/parallel_all.hpp"
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "convert/arrays.hpp"
#include "convert/merge_rows.hpp"
#include "convert/readable.hpp"
#include "formats/row_order.hpp"
#include "formats/value_types.hpp"
#include "gossamer/convert.hpp"

namespace gossamer {

namespace {

template <scalar T>
extents shape_of(const expression<T>& e) {
  const extents stored = std::visit([](const auto& v) { return v.shape; }, e.view);
  return e.transposed ? transposed(stored) : stored;
}

template <scalar T>
void require_host(const context& where, const expression<T>& e) {
  std::visit([&](const auto& v) { require_readable(where, v); }, e.view);
}

/// An operand as compressed rows, in place if it is CSR and neither scaled nor transposed.
template <scalar T>
struct compared_rows {
  csr_matrix<T> storage = {};
  csr_view<const T> view = {};

  compared_rows(const context& where, const expression<T>& e) {
    const auto* const csr = std::get_if<csr_view<const T>>(&e.view);
    if (csr && !e.transposed && !e.conjugated && e.alpha == T{1}) {
      view = readable(where, *csr);
    } else {
      storage = convert<csr_matrix<T>>(where, e);
      view = std::as_const(storage).view();
    }
  }
  compared_rows(const compared_rows&) = delete;
  compared_rows& operator=(const compared_rows&) = delete;

  void sum(const context& where) {
    if (rows_ascend(where.threads(), view)) return;
    storage = sum_duplicates(where, view);
    view = std::as_const(storage).view();
  }
};

template <scalar T>
bool same_bits(const T* a, const T* b, index_t count) {
  return count == 0 || std::memcmp(a, b, sizeof(T) * static_cast<std::size_t>(count)) == 0;
}

bool equal(const context& where, index_view a, index_view b) {
  if (a.size() != b.size()) return false;
  return with_two_widths(a.width(), b.width(), [&]<class I, class J>() {
    const I* const left = detail::raw<I>(a);
    const J* const right = detail::raw<J>(b);
    return parallel_all(where.threads(), a.size(), conversion_grain,
                        [&](index_t begin, index_t end) {
                          return std::equal(left + begin, left + end, right + begin);
                        });
  });
}

/// The dense view of an operand that is one as it is, or null.
template <scalar T>
const dense_view<const T>* as_dense(const expression<T>& e) {
  return e.transposed || e.conjugated || e.alpha != T{1}
             ? nullptr
             : std::get_if<dense_view<const T>>(&e.view);
}

template <scalar T>
bool same_dense(const context& where, const dense_view<const T>& a, const dense_view<const T>& b) {
  const index_t grain = conversion_grain / std::max<index_t>(a.shape.cols, 1) + 1;
  return parallel_all(where.threads(), a.shape.rows, grain, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i)
      for (index_t j = 0; j < a.shape.cols; ++j)
        if (!same_bits(&a(i, j), &b(i, j), 1)) return false;
    return true;
  });
}

void require_tolerance(double tolerance, const char* what) {
  if (!(tolerance >= 0))
    throw fail(error_kind::bad_argument,
               "{} = {} was given to allclose; tolerances are not negative", what, tolerance);
}

}  // namespace

namespace detail {

template <scalar T>
bool same_nonzeros(const context& where, const expression<T>& a, const expression<T>& b) try {
  require_host(where, a);
  require_host(where, b);
  if (shape_of(a) != shape_of(b)) return false;
  const auto *const dense_a = as_dense(a), *const dense_b = as_dense(b);
  if (dense_a && dense_b) return same_dense(where, *dense_a, *dense_b);
  const compared_rows<T> left(where, a), right(where, b);
  if (left.view.nnz() != right.view.nnz()) return false;
  const T *const x = left.view.values, *const y = right.view.values;
  return equal(where, left.view.offsets, right.view.offsets) &&
         equal(where, left.view.columns, right.view.columns) &&
         parallel_all(where.threads(), left.view.nnz(), conversion_grain,
                      [&](index_t begin, index_t end) {
                        return same_bits(x + begin, y + begin, end - begin);
                      });
} catch (const std::bad_alloc&) {
  refuse_memory("a comparison");
}

template <scalar T>
bool close_values(const context& where, const expression<T>& a, const expression<T>& b, double rtol,
                  double atol) try {
  require_host(where, a);
  require_host(where, b);
  require_tolerance(rtol, "rtol");
  require_tolerance(atol, "atol");
  if (shape_of(a) != shape_of(b)) return false;
  compared_rows<T> left(where, a), right(where, b);
  left.sum(where);
  right.sum(where);
  using wide = std::conditional_t<complex_scalar<T>, std::complex<double>, double>;
  const auto close = [=](const wide& x, const wide& y) {
    if (x == y) return true;  // equal infinities, whose difference is NaN
    return std::isfinite(std::abs(y)) && std::abs(x - y) <= atol + rtol * std::abs(y);
  };
  return with_two_widths(
      left.view.columns.width(), right.view.columns.width(), [&]<class I, class J>() {
        return parallel_all(where.threads(), left.view.shape.rows, conversion_grain / 8,
                            [&](index_t begin, index_t end) {
                              bool all = true;
                              for (index_t i = begin; i < end && all; ++i)
                                merge_rows<I, J>(left.view, right.view, i,
                                                 [&](index_t, const T* x, const T* y) {
                                                   all &= close(x ? *x : T{0}, y ? *y : T{0});
                                                 });
                              return all;
                            });
      });
} catch (const std::bad_alloc&) {
  refuse_memory("a comparison");
}

#define GOSSAMER_INSTANTIATE(T)                                                                  \
  template bool same_nonzeros(const context&, const expression<T>&, const expression<T>&);       \
  template bool close_values(const context&, const expression<T>&, const expression<T>&, double, \
                             double);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace detail

}  // namespace gossamer
