// Operands of a call: any view, perhaps scaled, perhaps transposed. The value type is erased at the
// library boundary so that kernels are compiled once, inside the library.
#pragma once

#include <concepts>
#include <ranges>
#include <variant>

#include "gossamer/matrix.hpp"

namespace gossamer {

/// A view of any format.
template <class T>
using any_view = std::variant<csr_view<T>, csc_view<T>, coo_view<T>, ell_view<T>, sellp_view<T>,
                              hyb_view<T>, dense_view<T>>;

/// alpha * op(view), not yet computed. The value type is static: results have the same type.
template <scalar T>
struct expression {
  using value = T;
  any_view<const T> view;
  T alpha = 1;
  bool transposed = false;
  bool conjugated = false;  ///< never of real values
};

namespace detail {
template <class X>
struct value_of_impl {};
template <class X>
requires requires { typename X::value; }
struct value_of_impl<X> {
  using type = typename X::value;
};
template <std::ranges::contiguous_range X>
requires(!requires { typename X::value; }) struct value_of_impl<X> {
  using type = std::remove_cv_t<std::ranges::range_value_t<X>>;
};
}  // namespace detail

/// The value type of any operand.
template <class X>
using value_of = typename detail::value_of_impl<std::remove_cvref_t<X>>::type;

/// Owners, views, expressions and contiguous ranges (vectors: n x 1) of a value type.
template <class X>
concept multipliable = scalar<value_of<X>>;

/// Owners lend a view of themselves.
template <class X>
concept owner_type = requires(const X& x) {
  x.view();
};
/// Contiguous ranges, which serve as n x 1 vectors.
template <class X>
concept range_type = std::ranges::contiguous_range<X> && !owner_type<X>;

/// Converts a view to a view of const values.
template <template <class> class View, class T>
View<const T> read_only(const View<T>& view) {
  return view;
}
template <template <class> class View, class T>
View<const T> read_only(const View<const T>& view) {
  return view;
}

/// The expression 1 * x, or x itself when it is an expression. Borrows: x must outlive it.
template <multipliable X>
expression<value_of<X>> express(const X& x) {
  using T = value_of<X>;
  if constexpr (std::same_as<X, expression<T>>) {
    return x;
  } else if constexpr (owner_type<X>) {
    return {.view = x.view()};
  } else if constexpr (range_type<const X>) {
    const auto n = static_cast<index_t>(std::ranges::size(x));
    return {.view = dense_view<const T>({n, 1}, layout::column_major, n, std::ranges::data(x))};
  } else {
    return {.view = read_only(x)};
  }
}

/// The transpose of A as an operand; nothing is moved. Borrows: A must outlive the expression.
template <multipliable X>
expression<value_of<X>> transposed(const X& x) {
  auto e = express(x);
  e.transposed = !e.transposed;
  return e;
}

/// alpha * A as an operand; nothing is computed until the product is. Borrows like transposed().
template <multipliable X>
expression<value_of<X>> scaled(value_of<X> alpha, const X& x) {
  auto e = express(x);
  e.alpha *= alpha;
  return e;
}

/// The complex conjugate of A as an operand; nothing is copied. Real operands stay as they are.
/// Borrows like transposed().
template <multipliable X>
expression<value_of<X>> conjugated(const X& x) {
  auto e = express(x);
  if constexpr (complex_scalar<value_of<X>>) {
    e.alpha = std::conj(e.alpha);
    e.conjugated = !e.conjugated;
  }
  return e;
}

/// The conjugate transpose of A (its adjoint) as an operand: transposed(conjugated(A)).
template <multipliable X>
expression<value_of<X>> conjugate_transposed(const X& x) {
  return transposed(conjugated(x));
}

/// A dense output of a product: a vector-like range, a dense_matrix or a dense_view.
template <class Y>
concept writable = scalar<value_of<Y>> &&
    (requires(Y& y) {
      { y.mutable_view() } -> std::same_as<dense_view<value_of<Y>>>;
    } ||
     std::same_as<std::remove_cvref_t<Y>, dense_view<value_of<Y>>> ||
     (range_type<std::remove_cvref_t<Y>> &&
      !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<Y>>>));

/// A writable view of a dense output.
template <class Y>
requires writable<Y> dense_view<value_of<Y>> target(Y& y) {
  if constexpr (requires { y.mutable_view(); }) {
    return y.mutable_view();
  } else if constexpr (std::same_as<std::remove_cvref_t<Y>, dense_view<value_of<Y>>>) {
    return y;
  } else {
    const auto n = static_cast<index_t>(std::ranges::size(y));
    return {{n, 1}, layout::column_major, n, std::ranges::data(y)};
  }
}

namespace detail {
struct expressions {
  template <class T>
  using of = expression<T>;
};
struct dense_views {
  template <class T>
  using of = dense_view<T>;
};
struct csr_views {
  template <class T>
  using of = csr_view<T>;
};
struct csr_matrices {
  template <class T>
  using of = csr_matrix<T>;
};
}  // namespace detail

/// Type-erased forms that cross the library boundary.
using operand = each_value<detail::expressions>;
using dense_target = each_value<detail::dense_views>;
using csr_target = each_value<detail::csr_views>;
using csr_result = each_value<detail::csr_matrices>;

}  // namespace gossamer
