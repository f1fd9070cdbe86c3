// Comparisons of matrices of any format on the host, perhaps scaled and transposed. Calls without a
// context run on all cores.
#pragma once

#include "gossamer/operand.hpp"

namespace gossamer {

namespace detail {
template <scalar T>
bool same_nonzeros(const context&, const expression<T>& a, const expression<T>& b);
template <scalar T>
bool close_values(const context&, const expression<T>& a, const expression<T>& b, double rtol,
                  double atol);
}  // namespace detail

/// True if both have the same shape and in each row the same nonzeros in the same order, with the
/// same bits: NaN equals itself, 0 is not -0. Formats and index widths do not matter. Two dense
/// matrices are compared element by element; compared with a sparse one, a dense matrix has the
/// nonzeros that from_dense keeps. O(nnz).
template <multipliable A, multipliable B>
requires std::same_as<value_of<A>, value_of<B>>
bool same(const context& where, const A& a, const B& b) {
  return detail::same_nonzeros<value_of<A>>(where, express(a), express(b));
}
template <multipliable A, multipliable B>
requires std::same_as<value_of<A>, value_of<B>>
bool same(const A& a, const B& b) { return same(context::best(), a, b); }

/// True if both have the same shape and |a_ij - b_ij| <= atol + rtol * |b_ij| everywhere, as in
/// NumPy. Patterns may differ: an element that is not stored is 0. Duplicates are added first.
/// Equal infinities are close; NaN is close to nothing. Throws error(bad_argument) on negative or
/// NaN tolerances.
template <multipliable A, multipliable B>
requires std::same_as<value_of<A>, value_of<B>>
bool allclose(const context& where, const A& a, const B& b, double rtol = 1e-5,
              double atol = 1e-8) {
  return detail::close_values<value_of<A>>(where, express(a), express(b), rtol, atol);
}
template <multipliable A, multipliable B>
requires std::same_as<value_of<A>, value_of<B>>
bool allclose(const A& a, const B& b, double rtol = 1e-5, double atol = 1e-8) {
  return allclose(context::best(), a, b, rtol, atol);
}

}  // namespace gossamer
