// Parts, sums and rearrangements of matrices. Operands are owners, views and expressions of any
// format; those that are not CSR are converted first. Results are CSR (or vectors) in the memory of
// the context, with nonzeros in the order of their source, and bitwise reproducible for any number
// of threads. Calls without a context run on all cores of the host. On a device all run but select
// with a predicate, which is a function of the host.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "gossamer/assemble.hpp"
#include "gossamer/convert.hpp"
#include "gossamer/copy.hpp"

namespace gossamer {

/// What is computed of each row or column.
enum class reduction : std::uint8_t {
  sum,
  norm1,    ///< sum of magnitudes
  norm2,    ///< square root of the sum of squares
  norm_max  ///< greatest magnitude; NaN if there is one
};

namespace detail {
/// y_i of row i, y in the memory of the context.
template <scalar T>
void reduce_rows(const context&, const csr_view<const T>& a, reduction what, T* y);
template <scalar T>
void take_diagonal(const context&, const csr_view<const T>& a, T* y);
/// diag(by) A, or A diag(by): `by` has an element per row, or per column.
template <scalar T>
csr_matrix<T> scaled_lines(const context&, const csr_view<const T>& a, const expression<T>& by,
                           bool by_rows);
/// Nonzeros with first <= column - row <= last.
template <scalar T>
csr_matrix<T> band(const context&, const csr_view<const T>& a, index_t first, index_t last);
template <scalar T>
csr_matrix<T> selected(const context&, const csr_view<const T>& a,
                       const std::function<bool(index_t, index_t, T)>& wanted);
/// Row i of the result is row rows[i]; all rows where `rows` is empty and `all_rows`. Likewise for
/// columns, of which none may be listed twice. Lists are in host memory.
struct index_lists {
  index_view rows, columns;
  bool all_rows = true, all_columns = true;
};
template <scalar T>
csr_matrix<T> gathered(const context&, const csr_view<const T>& a, const index_lists& which);
template <scalar T>
csr_matrix<T> kronecker(const context&, const csr_view<const T>& a, const csr_view<const T>& b);
template <scalar T>
struct sliced_rows {
  index_buffer offsets;  ///< rebased; empty where the caller's serve
  csr_view<const T> rows;
};
template <scalar T>
sliced_rows<T> slice(const context&, const csr_view<const T>& a, index_t first, index_t last);

/// A vector in the memory of the context, filled by f(row form, address of its elements).
template <multipliable A, class F>
vector<value_of<A>> vector_of(const context& where, const A& a, bool transpose, F&& f) {
  using T = value_of<A>;
  auto e = express(a);
  e.transposed = e.transposed != transpose;
  const auto form = rows_of<T>(where, e);
  vector<T> y(form.rows.shape.rows, where.memory());
  f(form.rows, y.data());
  return y;
}
template <scalar T>
std::vector<T> on_host(const vector<T>& y) {
  return {y.data(), y.data() + y.size()};
}
/// Norms, which are real.
template <scalar T>
std::vector<real_of<T>> real_on_host(const vector<T>& y) {
  std::vector<real_of<T>> norms(static_cast<std::size_t>(y.size()));
  std::transform(y.data(), y.data() + y.size(), norms.begin(), [](T z) { return std::real(z); });
  return norms;
}
}  // namespace detail

/// Sums, norms of the rows, or of the columns, as a vector in the memory of the context. Columns
/// are those of the transpose, which is computed unless A is stored by columns. Norms of complex
/// matrices are complex here, with imaginary parts of 0; row_norms and column_norms are real.
template <multipliable A>
vector<value_of<A>> reduce_rows(const context& where, const A& a, reduction what) {
  return detail::vector_of(where, a, false, [&](const auto& rows, auto* y) {
    detail::reduce_rows<value_of<A>>(where, rows, what, y);
  });
}
template <multipliable A>
vector<value_of<A>> reduce_columns(const context& where, const A& a, reduction what) {
  return detail::vector_of(where, a, true, [&](const auto& rows, auto* y) {
    detail::reduce_rows<value_of<A>>(where, rows, what, y);
  });
}
/// The elements (i, i), 0 where nothing is stored; duplicates are added.
template <multipliable A>
vector<value_of<A>> diagonal_of(const context& where, const A& a) {
  using T = value_of<A>;
  const auto form = detail::rows_of<T>(where, express(a));
  vector<T> y(std::min(form.rows.shape.rows, form.rows.shape.cols), where.memory());
  detail::take_diagonal<T>(where, form.rows, y.data());
  return y;
}

/// The same on all cores, as std::vector: row_sums(A), column_norms(A), diagonal_of(A). Norms are
/// Euclidean unless another is asked for.
template <multipliable A>
std::vector<value_of<A>> row_sums(const A& a) {
  return detail::on_host(reduce_rows(context::best(), a, reduction::sum));
}
template <multipliable A>
std::vector<value_of<A>> column_sums(const A& a) {
  return detail::on_host(reduce_columns(context::best(), a, reduction::sum));
}
template <multipliable A>
std::vector<real_of<value_of<A>>> row_norms(const A& a, reduction what = reduction::norm2) {
  return detail::real_on_host(reduce_rows(context::best(), a, what));
}
template <multipliable A>
std::vector<real_of<value_of<A>>> column_norms(const A& a, reduction what = reduction::norm2) {
  return detail::real_on_host(reduce_columns(context::best(), a, what));
}
template <multipliable A>
std::vector<value_of<A>> diagonal_of(const A& a) {
  return detail::on_host(diagonal_of(context::best(), a));
}

/// diag(d) A: row i times d[i]. The vector d, in the memory of the context, has an element per row.
template <multipliable A, multipliable D>
requires std::same_as<value_of<A>, value_of<D>> csr_matrix<value_of<A>> scale_rows(
    const context& where, const A& a, const D& d) {
  using T = value_of<A>;
  return detail::scaled_lines<T>(where, detail::rows_of<T>(where, express(a)).rows, express(d),
                                 true);
}
/// A diag(d): column j times d[j].
template <multipliable A, multipliable D>
requires std::same_as<value_of<A>, value_of<D>> csr_matrix<value_of<A>> scale_columns(
    const context& where, const A& a, const D& d) {
  using T = value_of<A>;
  return detail::scaled_lines<T>(where, detail::rows_of<T>(where, express(a)).rows, express(d),
                                 false);
}
template <multipliable A, multipliable D>
requires std::same_as<value_of<A>, value_of<D>> csr_matrix<value_of<A>> scale_rows(const A& a,
                                                                                   const D& d) {
  return scale_rows(context::best(), a, d);
}
template <multipliable A, multipliable D>
requires std::same_as<value_of<A>, value_of<D>> csr_matrix<value_of<A>> scale_columns(const A& a,
                                                                                      const D& d) {
  return scale_columns(context::best(), a, d);
}

/// The nonzeros on and below diagonal k (0 is the main one, 1 the one above it), and those on and
/// above it.
template <multipliable A>
csr_matrix<value_of<A>> tril(const context& where, const A& a, index_t k = 0) {
  return detail::band<value_of<A>>(where, detail::rows_of<value_of<A>>(where, express(a)).rows,
                                   std::numeric_limits<index_t>::min(), k);
}
template <multipliable A>
csr_matrix<value_of<A>> triu(const context& where, const A& a, index_t k = 0) {
  return detail::band<value_of<A>>(where, detail::rows_of<value_of<A>>(where, express(a)).rows, k,
                                   std::numeric_limits<index_t>::max());
}
template <multipliable A>
csr_matrix<value_of<A>> tril(const A& a, index_t k = 0) {
  return tril(context::best(), a, k);
}
template <multipliable A>
csr_matrix<value_of<A>> triu(const A& a, index_t k = 0) {
  return triu(context::best(), a, k);
}

/// The nonzeros for which wanted(i, j, value) is true: select(A, [](auto i, auto j, auto v) {
/// return v > 0; }). It is called twice for each, by several threads at once, and must answer
/// alike.
template <multipliable A, std::predicate<index_t, index_t, value_of<A>> F>
csr_matrix<value_of<A>> select(const context& where, const A& a, F&& wanted) {
  using T = value_of<A>;
  return detail::selected<T>(where, detail::rows_of<T>(where, express(a)).rows, std::ref(wanted));
}
template <multipliable A, std::predicate<index_t, index_t, value_of<A>> F>
csr_matrix<value_of<A>> select(const A& a, F&& wanted) {
  return select(context::best(), a, wanted);
}

/// Rows [first, last) of a CSR matrix, whose columns and values it borrows; only offsets are its
/// own, unless the range starts at row 0. An operand wherever a matrix is one.
template <scalar T>
class row_range {
 public:
  using value = T;
  row_range(const context& where, const csr_view<const T>& a, index_t first, index_t last)
      : parts_(detail::slice<T>(where, a, first, last)) {}
  /// Borrows: valid as long as this object and the matrix are.
  csr_view<const T> view() const& noexcept { return parts_.rows; }
  void view() const&& = delete;  // the view would outlive the offsets
  operator csr_view<const T>() const& noexcept { return view(); }
  extents shape() const noexcept { return parts_.rows.shape; }
  index_t rows() const noexcept { return parts_.rows.shape.rows; }
  index_t cols() const noexcept { return parts_.rows.shape.cols; }
  index_t nnz() const noexcept { return parts_.rows.nnz(); }

 private:
  detail::sliced_rows<T> parts_;
};

/// Rows [first, last) without a copy of columns and values. A must outlive the range.
template <class T>
row_range<std::remove_const_t<T>> slice_rows(const context& where, const csr_view<T>& a,
                                             index_t first, index_t last) {
  return {where, a, first, last};
}
template <scalar T>
row_range<T> slice_rows(const context& where, const csr_matrix<T>& a, index_t first, index_t last) {
  return {where, a.view(), first, last};
}
template <class T>
row_range<std::remove_const_t<T>> slice_rows(const csr_view<T>& a, index_t first, index_t last) {
  return slice_rows(context::best(), a, first, last);
}
template <scalar T>
row_range<T> slice_rows(const csr_matrix<T>& a, index_t first, index_t last) {
  return slice_rows(context::best(), a, first, last);
}
template <scalar T>
void slice_rows(const csr_matrix<T>&&, index_t, index_t) = delete;  // it would outlive what it
template <scalar T>                                                 // borrows
void slice_rows(const context&, const csr_matrix<T>&&, index_t, index_t) = delete;

/// The matrix of the elements (rows[i], columns[j]). Rows may be listed several times, columns
/// once. Nonzeros stay in their order within a row: sorted if A is and the columns ascend. Lists
/// are in host memory. Throws error(bad_argument) for indices out of range.
template <multipliable A, index_range R, index_range C>
csr_matrix<value_of<A>> submatrix(const context& where, const A& a, const R& rows,
                                  const C& columns) {
  using T = value_of<A>;
  return detail::gathered<T>(where, detail::rows_of<T>(where, express(a)).rows,
                             {detail::indices_of(rows), detail::indices_of(columns), false, false});
}
template <multipliable A, index_range R, index_range C>
csr_matrix<value_of<A>> submatrix(const A& a, const R& rows, const C& columns) {
  return submatrix(context::best(), a, rows, columns);
}

/// Row i of the result is row order[i] of A: any rows, in any order. Columns likewise, each at most
/// once.
template <multipliable A, index_range R>
csr_matrix<value_of<A>> permute_rows(const context& where, const A& a, const R& order) {
  using T = value_of<A>;
  return detail::gathered<T>(where, detail::rows_of<T>(where, express(a)).rows,
                             {detail::indices_of(order), {}, false, true});
}
template <multipliable A, index_range C>
csr_matrix<value_of<A>> permute_columns(const context& where, const A& a, const C& order) {
  using T = value_of<A>;
  return detail::gathered<T>(where, detail::rows_of<T>(where, express(a)).rows,
                             {{}, detail::indices_of(order), true, false});
}
template <multipliable A, index_range R>
csr_matrix<value_of<A>> permute_rows(const A& a, const R& order) {
  return permute_rows(context::best(), a, order);
}
template <multipliable A, index_range C>
csr_matrix<value_of<A>> permute_columns(const A& a, const C& order) {
  return permute_columns(context::best(), a, order);
}
/// P A P' with row and column i of the result those of order[i], columns sorted.
template <multipliable A, index_range R>
csr_matrix<value_of<A>> permute(const context& where, const A& a, const R& order) {
  return sort_columns(where, submatrix(where, a, order, order));
}
template <multipliable A, index_range R>
csr_matrix<value_of<A>> permute(const A& a, const R& order) {
  return permute(context::best(), a, order);
}

/// The Kronecker product: block (i, j) is a_ij B. Throws error(overflow) where its shape or number
/// of nonzeros does not fit 64 bits.
template <multipliable A, multipliable B>
requires std::same_as<value_of<A>, value_of<B>> csr_matrix<value_of<A>> kron(const context& where,
                                                                             const A& a,
                                                                             const B& b) {
  using T = value_of<A>;
  return detail::kronecker<T>(where, detail::rows_of<T>(where, express(a)).rows,
                              detail::rows_of<T>(where, express(b)).rows);
}
template <multipliable A, multipliable B>
requires std::same_as<value_of<A>, value_of<B>> csr_matrix<value_of<A>> kron(const A& a,
                                                                             const B& b) {
  return kron(context::best(), a, b);
}

}  // namespace gossamer
