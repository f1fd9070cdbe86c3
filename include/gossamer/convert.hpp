// Conversions between every pair of formats, and structural operations on CSR. Values are kept;
// sorted input stays sorted; duplicates stay unless summed. A dense target adds duplicates; a dense
// source drops its exact zeros (NaN is kept). Results have the narrowest safe index widths and are
// bitwise reproducible for any number of threads.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <variant>

#include "gossamer/context.hpp"
#include "gossamer/operand.hpp"

namespace gossamer {

/// How HYB chooses the number of elements per row stored in ELL (the five strategies of the Ginkgo
/// paper).
enum class hyb_strategy {
  column_limit,       ///< exactly `columns` per row
  imbalance_limit,    ///< the quantile Q_R(x) of the row lengths
  imbalance_bounded,  ///< Q_R(x), but at most `bound` * rows
  minimal_storage,    ///< Q_R(p / (v + 2p)): fewest bytes
  automatic           ///< imbalance_bounded with x = 1/3 and bound = 0.001, as Ginkgo does
};

/// Parameters of the split. Q_R(x) is the smallest t such that more than a share x of the rows has
/// at most t nonzeros. x < 0: all COO; 0: no padding; 1 - 1/rows and above: all ELL.
struct hyb_options {
  hyb_strategy strategy = hyb_strategy::automatic;
  index_t columns = 0;    ///< column_limit
  double quantile = 0.8;  ///< x of imbalance_limit and imbalance_bounded
  double bound = 0.0001;  ///< imbalance_bounded: width <= bound * rows
};

/// Parameters of the target format; those of other formats are ignored.
struct convert_options {
  index_t slice = 64;  ///< SELL-P: rows per slice
  index_t stride_factor =
      1;                    ///< SELL-P: slice widths are multiples of this; ELL: rows padded to it
  index_t sort_window = 1;  ///< SELL-P: rows sorted by length inside windows of this many rows
  /// Bound on padding: ELL, SELL-P, the ELL part of HYB, and dense (from a sparse source) throw
  /// error(memory_limit) rather than take more than this many times the bytes of CSR plus 64 MiB; 0
  /// removes the limit.
  double padding_limit = 10;
  layout order = layout::row_major;  ///< dense
  hyb_options hyb = {};
};

/// ELL width of a HYB matrix for these row lengths (t in the paper). A conversion stores at most as
/// many positions per row as the longest row has nonzeros.
index_t hyb_width(std::span<const index_t> row_lengths, const hyb_options&, value_type,
                  index_width);

/// Whether values of type From may become values of type To: all but complex ones real ones.
template <class From, class To>
concept value_convertible = scalar<From> && scalar<To> &&(real_scalar<From> || complex_scalar<To>);

/// Converts to the owner type `To`: convert<sellp_matrix<double>>(A, {.slice = 32}). Values may
/// change between float and double, and from real to complex. Without a context it runs on all
/// cores.
template <class To, multipliable From>
requires value_convertible<value_of<From>, value_of<To>> To
convert(const context& where, const From& from, const convert_options& how = {});
template <class To, multipliable From>
requires value_convertible<value_of<From>, value_of<To>> To
convert(const From& from, const convert_options& how = {}) {
  return convert<To>(context::best(), from, how);
}

/// The transpose as a new matrix, columns sorted within rows.
template <scalar T>
csr_matrix<T> transpose(const context&, const csr_view<const T>& a);
/// A copy with columns sorted within each row; the sort is stable.
template <scalar T>
csr_matrix<T> sort_columns(const context&, const csr_view<const T>& a);
/// A copy with columns sorted and duplicates added, in their order of storage.
template <scalar T>
csr_matrix<T> sum_duplicates(const context&, const csr_view<const T>& a);
/// A copy without the elements that are exactly zero.
template <scalar T>
csr_matrix<T> drop_zeros(const context&, const csr_view<const T>& a);
/// A copy with only the nonzeros that the filter keeps, in their order of storage; ties in
/// magnitude go to the one stored first. Throws error(bad_argument) on a negative or NaN magnitude,
/// and on a negative count.
template <scalar T>
csr_matrix<T> keep(const context&, const csr_view<const T>& a, const filter& which);
/// (A + A^T) / 2 on the union of both patterns: columns sorted, duplicates added first. A must be
/// square.
template <scalar T>
csr_matrix<T> symmetrise(const context&, const csr_view<const T>& a);

namespace detail {
/// An operand as CSR: the caller's arrays where it is one, else a converted copy.
template <scalar T>
struct row_form {
  csr_matrix<T> storage;
  csr_view<const T> rows;
};
template <scalar T>
row_form<T> rows_of(const context&, const expression<T>&);

/// Operands other than the CSR views that the calls above take as they are.
template <class A>
concept needs_rows = multipliable<A> && !std::same_as<A, csr_view<const value_of<A>>>;

/// The owners of all formats, in the order of `format`.
template <scalar T>
using any_matrix = std::variant<csr_matrix<T>, csc_matrix<T>, coo_matrix<T>, ell_matrix<T>,
                                sellp_matrix<T>, hyb_matrix<T>, dense_matrix<T>>;
/// The format whose owner is `To`.
template <class To, class... Owners>
constexpr format format_of(std::type_identity<std::variant<Owners...>>) {
  std::uint8_t before = 0;
  (void)((std::same_as<To, Owners> || (++before, false)) || ...);
  return static_cast<format>(before);
}
/// The result holds the owner of format `to`.
template <scalar T, scalar From>
any_matrix<T> convert_expression(const context&, const expression<From>&, format to,
                                 const convert_options&);
template <scalar T>
csr_matrix<T> add_expressions(const context&, const expression<T>& a, const expression<T>& b);
}  // namespace detail

template <class To, multipliable From>
requires value_convertible<value_of<From>, value_of<To>> To convert(const context& where,
                                                                    const From& from,
                                                                    const convert_options& how) {
  using owners = detail::any_matrix<value_of<To>>;
  constexpr format to = detail::format_of<To>(std::type_identity<owners>{});
  return std::get<To>(
      detail::convert_expression<value_of<To>, value_of<From>>(where, express(from), to, how));
}

/// The calls above for owners, views and expressions of any format. Those that are not CSR, or
/// scaled, or transposed are converted first.
template <detail::needs_rows A>
csr_matrix<value_of<A>> transpose(const context& where, const A& a) {
  auto e = express(a);
  e.transposed = !e.transposed;
  return convert<csr_matrix<value_of<A>>>(where, e);
}
template <detail::needs_rows A>
csr_matrix<value_of<A>> sort_columns(const context& where, const A& a) {
  return sort_columns<value_of<A>>(where, detail::rows_of<value_of<A>>(where, express(a)).rows);
}
template <detail::needs_rows A>
csr_matrix<value_of<A>> sum_duplicates(const context& where, const A& a) {
  return sum_duplicates<value_of<A>>(where, detail::rows_of<value_of<A>>(where, express(a)).rows);
}
template <detail::needs_rows A>
csr_matrix<value_of<A>> drop_zeros(const context& where, const A& a) {
  return drop_zeros<value_of<A>>(where, detail::rows_of<value_of<A>>(where, express(a)).rows);
}
template <detail::needs_rows A>
csr_matrix<value_of<A>> keep(const context& where, const A& a, const filter& which) {
  return keep<value_of<A>>(where, detail::rows_of<value_of<A>>(where, express(a)).rows, which);
}
template <detail::needs_rows A>
csr_matrix<value_of<A>> symmetrise(const context& where, const A& a) {
  return symmetrise<value_of<A>>(where, detail::rows_of<value_of<A>>(where, express(a)).rows);
}
/// The same on all cores.
template <multipliable A>
csr_matrix<value_of<A>> transpose(const A& a) {
  return transpose(context::best(), a);
}
template <multipliable A>
csr_matrix<value_of<A>> sort_columns(const A& a) {
  return sort_columns(context::best(), a);
}
template <multipliable A>
csr_matrix<value_of<A>> sum_duplicates(const A& a) {
  return sum_duplicates(context::best(), a);
}
template <multipliable A>
csr_matrix<value_of<A>> drop_zeros(const A& a) {
  return drop_zeros(context::best(), a);
}
template <multipliable A>
csr_matrix<value_of<A>> keep(const A& a, const filter& which) {
  return keep(context::best(), a, which);
}
template <multipliable A>
csr_matrix<value_of<A>> symmetrise(const A& a) {
  return symmetrise(context::best(), a);
}

/// A + B on the union of both patterns: columns sorted, duplicates added first; sums that cancel
/// stay. Operands are sparse matrices of any format, perhaps scaled and transposed. One that is
/// scaled by 0 is not read and contributes no nonzeros.
template <multipliable A, multipliable B>
requires std::same_as<value_of<A>, value_of<B>> csr_matrix<value_of<A>> add(const context& where,
                                                                            const A& a,
                                                                            const B& b) {
  return detail::add_expressions<value_of<A>>(where, express(a), express(b));
}

/// The same on all cores.
template <multipliable A, multipliable B>
requires std::same_as<value_of<A>, value_of<B>> csr_matrix<value_of<A>> add(const A& a,
                                                                            const B& b) {
  return add(context::best(), a, b);
}

}  // namespace gossamer
