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

/// How a matrix or vector of another library becomes an operand: specialise it with `using value`,
/// `static View<const value> view(const X&)` and, for dense results, `static dense_view<value>
/// target(X&)`. gossamer/eigen.hpp does so for Eigen.
template <class X>
struct adaptor {};

namespace detail {
template <class X>
concept adapted = requires {
  typename adaptor<X>::value;
};

/// Vectors of other libraries: data() and size(), but no rows and columns of their own.
template <class X>
concept sized_data = requires(X& x) {
  requires scalar<std::remove_cvref_t<decltype(*x.data())>>;
  { x.size() } -> std::convertible_to<index_t>;
  requires std::is_pointer_v<decltype(x.data())>;
}
&&!requires(const X& x) { x.rows(), x.cols(); }
&&!requires { typename X::value; };

template <class X>
struct value_of_impl {};
template <class X>
requires adapted<X>
struct value_of_impl<X> {
  using type = typename adaptor<X>::value;
};
template <class X>
requires(!adapted<X> && requires { typename X::value; }) struct value_of_impl<X> {
  using type = typename X::value;
};
template <class X>
requires(!adapted<X> && !requires { typename X::value; } &&
         std::ranges::contiguous_range<X>) struct value_of_impl<X> {
  using type = std::remove_cv_t<std::ranges::range_value_t<X>>;
};
template <class X>
requires(!adapted<X> && sized_data<X> &&
         !std::ranges::contiguous_range<X>) struct value_of_impl<X> {
  using type = std::remove_cvref_t<decltype(*std::declval<X&>().data())>;
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
/// Contiguous ranges, and objects with data() and size(): they serve as n x 1 vectors.
template <class X>
concept range_type = (std::ranges::contiguous_range<X> ||
                      detail::sized_data<std::remove_cvref_t<X>>)&&!owner_type<X> &&
                     !detail::adapted<std::remove_cvref_t<X>>;

namespace detail {
/// First element and number of elements of a vector-like object.
template <class X>
auto* data_of(X& x) {
  if constexpr (std::ranges::contiguous_range<X>)
    return std::ranges::data(x);
  else
    return x.data();
}
template <class X>
index_t size_of(const X& x) {
  if constexpr (std::ranges::contiguous_range<const X>)
    return static_cast<index_t>(std::ranges::size(x));
  else
    return static_cast<index_t>(x.size());
}
}  // namespace detail

/// Converts a view to a view of const values.
template <template <class> class View, class T>
View<const T> read_only(const View<T>& view) {
  return view;
}
template <template <class> class View, class T>
View<const T> read_only(const View<const T>& view) {
  return view;
}

/// alpha * op(x) of a temporary x, which it keeps: auto e = scaled(0.5, multiply(cpu, A, B)).
template <class X>
struct owned_expression {
  using value = value_of<X>;
  X held;
  value alpha = 1;
  bool transposed = false;
  bool conjugated = false;
};

namespace detail {
template <class X>
inline constexpr bool is_owned_expression = false;
template <class X>
inline constexpr bool is_owned_expression<owned_expression<X>> = true;

/// Temporaries that an expression must keep: those whose elements go with them.
template <class X>
concept perishable = !std::is_lvalue_reference_v<X> &&
                     (owner_type<std::remove_cvref_t<X>> || adapted<std::remove_cvref_t<X>> ||
                      (range_type<std::remove_cvref_t<X>> && !std::ranges::borrowed_range<X>));
}  // namespace detail

/// The expression 1 * x, or x itself when it is an expression. Borrows: x must outlive it.
template <multipliable X>
expression<value_of<X>> express(const X& x) {
  using T = value_of<X>;
  if constexpr (std::same_as<X, expression<T>>) {
    return x;
  } else if constexpr (detail::is_owned_expression<X>) {
    auto e = express(x.held);
    if constexpr (complex_scalar<T>)
      if (x.conjugated) e.alpha = std::conj(e.alpha);
    e.alpha *= x.alpha;
    e.transposed = e.transposed != x.transposed;
    e.conjugated = e.conjugated != x.conjugated;
    return e;
  } else if constexpr (detail::adapted<X>) {
    return {.view = adaptor<X>::view(x)};
  } else if constexpr (owner_type<X>) {
    return {.view = x.view()};
  } else if constexpr (range_type<const X>) {
    const index_t n = detail::size_of(x);
    return {.view = dense_view<const T>({n, 1}, layout::column_major, n, detail::data_of(x))};
  } else {
    return {.view = read_only(x)};
  }
}

/// The transpose of A as an operand; nothing is moved. Borrows: A must outlive the expression,
/// unless it is a temporary, which is moved into the result.
template <class X>
requires multipliable<X>
auto transposed(X&& x) {
  using bare = std::remove_cvref_t<X>;
  if constexpr (detail::is_owned_expression<bare> && !std::is_lvalue_reference_v<X>) {
    bare kept = std::forward<X>(x);
    kept.transposed = !kept.transposed;
    return kept;
  } else if constexpr (detail::perishable<X>) {
    return owned_expression<bare>{.held = std::forward<X>(x), .transposed = true};
  } else {
    auto e = express(x);
    e.transposed = !e.transposed;
    return e;
  }
}

/// alpha * A as an operand; nothing is computed until the product is. Borrows, or keeps a
/// temporary, like transposed().
template <class X>
requires multipliable<X>
auto scaled(value_of<X> alpha, X&& x) {
  using bare = std::remove_cvref_t<X>;
  if constexpr (detail::is_owned_expression<bare> && !std::is_lvalue_reference_v<X>) {
    bare kept = std::forward<X>(x);
    kept.alpha *= alpha;
    return kept;
  } else if constexpr (detail::perishable<X>) {
    return owned_expression<bare>{.held = std::forward<X>(x), .alpha = alpha};
  } else {
    auto e = express(x);
    e.alpha *= alpha;
    return e;
  }
}

/// The complex conjugate of A as an operand; nothing is copied. Real operands stay as they are.
/// Borrows, or keeps a temporary, like transposed().
template <class X>
requires multipliable<X>
auto conjugated(X&& x) {
  auto e = scaled(value_of<X>{1}, std::forward<X>(x));
  if constexpr (complex_scalar<value_of<X>>) {
    e.alpha = std::conj(e.alpha);
    e.conjugated = !e.conjugated;
  }
  return e;
}

/// The conjugate transpose of A (its adjoint) as an operand: transposed(conjugated(A)).
template <class X>
requires multipliable<X>
auto conjugate_transposed(X&& x) { return transposed(conjugated(std::forward<X>(x))); }

/// A dense output of a product: a vector-like range, a dense_matrix or a dense_view.
template <class Y>
concept writable = scalar<value_of<Y>> &&(
    requires(Y& y) {
      { y.mutable_view() } -> std::same_as<dense_view<value_of<Y>>>;
    } ||
    std::same_as<std::remove_cvref_t<Y>, dense_view<value_of<Y>>> ||
    requires(Y & y) { adaptor<std::remove_cvref_t<Y>>::target(y); } ||
    (range_type<std::remove_cvref_t<Y>> && requires(Y & y) { *detail::data_of(y) = 0; }));

/// A writable view of a dense output.
template <class Y>
requires writable<Y> dense_view<value_of<Y>> target(Y& y) {
  if constexpr (requires { y.mutable_view(); }) {
    return y.mutable_view();
  } else if constexpr (std::same_as<std::remove_cvref_t<Y>, dense_view<value_of<Y>>>) {
    return y;
  } else if constexpr (detail::adapted<std::remove_cvref_t<Y>>) {
    return adaptor<std::remove_cvref_t<Y>>::target(y);
  } else {
    const index_t n = detail::size_of(y);
    return {{n, 1}, layout::column_major, n, detail::data_of(y)};
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
