// Matrix products. The contract of all of them: a sparse result has sorted columns, no duplicates,
// and keeps nonzeros that cancel to zero; operands are never modified; beta = 0 never reads the
// output; alpha = 0 never reads A; NaN and Inf propagate as in IEEE arithmetic. The output of a
// dense product must not overlap A or x (checked; throws).
#pragma once

#include <vector>

#include "gossamer/operand.hpp"
#include "gossamer/plan.hpp"

namespace gossamer {

/// How a product of three matrices was associated, and what each way was estimated to cost.
struct triple_choice {
  bool left_first = true;  ///< (A B) C, else A (B C)
  double left_work = 0;    ///< estimated multiplications of (A B) C, both products together
  double right_work = 0;   ///< those of A (B C)
};

namespace detail {
/// y = A x + z; z absent means beta = 0.
void multiply_dense(const context&, const operand& a, const operand& x, const operand* z,
                    const dense_target& y, const options&);
void multiply_dense(const plan&, const operand& a, const operand& x, const operand* z,
                    const dense_target& y);
/// The same without an addend. Value types stay static unless the operands differ from those of the
/// plan.
template <scalar T>
void multiply_planned(const plan&, const expression<T>& a, const expression<T>& x,
                      const dense_view<T>& y);
plan inspect_dense(const context&, const operand& a, const operand& x, const operand* z,
                   const dense_target& y, const options&);
/// Stores the choice and the measured phases in `why` unless it is null.
csr_result multiply_sparse(const context&, const operand& a, const operand& b, const options&,
                           explanation* why = nullptr);
csr_result multiply_sparse_to_host(const context&, const operand& a, const operand& b,
                                   const options&);
csr_result multiply_added(const context&, const operand& a, const operand& b, const operand& z,
                          const options&, explanation* why = nullptr);
/// (A B) C or A (B C), whichever is estimated to take fewer multiplications.
csr_result multiply_three(const context&, const operand& a, const operand& b, const operand& c,
                          const options&, triple_choice* why);
plan compute_sparse(const context&, const operand& a, const operand& b, const options&);
void fill_sparse(const plan&, const operand& a, const operand& b, const csr_target& c);

/// express() for the duration of a call: an expression is not copied.
template <multipliable X>
expression<value_of<X>> expressed(const X& x) {
  return express(x);
}
template <scalar T>
const expression<T>& expressed(const expression<T>& x) {
  return x;
}

/// Number of rows of op(A).
template <scalar T>
index_t row_count(const expression<T>& a) {
  const auto shape = std::visit([](const auto& view) { return view.shape; }, a.view);
  return a.transposed ? shape.cols : shape.rows;
}
}  // namespace detail

/// y = A x for a vector (SpMV), C = A B for a dense B (SpMM). A may be scaled and transposed. With
/// the dense operand first and the sparse one second it is C = B A, computed as the transpose of
/// A' B' over the same arrays: nothing is copied, and plans take it alike. On CPUs, without a plan,
/// A may be of a narrower type than x and y (float and double, real and complex): its values are
/// widened when they are read.
template <multipliable A, multipliable X, writable Y>
void multiply(const context& where, const A& a, const X& x, Y&& y, const options& how = {}) {
  detail::multiply_dense(where, express(a), express(x), nullptr, target(y), how);
}

/// y = A x + z, where z is a dense operand such as scaled(beta, y); z may be y itself.
template <multipliable A, multipliable X, multipliable Z, writable Y>
void multiply(const context& where, const A& a, const X& x, const Z& z, Y&& y,
              const options& how = {}) {
  const operand addend = express(z);
  detail::multiply_dense(where, express(a), express(x), &addend, target(y), how);
}

/// y = A x as a new vector on the host, for any contiguous range x: auto y = multiply(cpu, A, x).
template <multipliable A, multipliable X>
requires range_type<X> std::vector<value_of<X>> multiply(const context& where, const A& a,
                                                         const X& x, const options& how = {}) {
  std::vector<value_of<X>> y(static_cast<std::size_t>(detail::row_count(express(a))));
  multiply(where, a, x, y, how);
  return y;
}
/// The same in the memory of the context, for x there.
template <multipliable A, scalar T>
vector<T> multiply(const context& where, const A& a, const vector<T>& x, const options& how = {}) {
  vector<T> y(detail::row_count(express(a)), where.memory());
  multiply(where, a, x, y, how);
  return y;
}

/// Chooses and prepares a kernel once; then call multiply(plan, ...) as often as needed. The plan
/// remembers the structure of A (shape, nonzeros, addresses of the arrays), not its values: these
/// may change, unless options::constant_values promises that they do not.
template <multipliable A, multipliable X, writable Y>
plan multiply_inspect(const context& where, const A& a, const X& x, Y&& y,
                      const options& how = {}) {
  return detail::inspect_dense(where, express(a), express(x), nullptr, target(y), how);
}
/// y = A x with a plan. A must have the structure that the plan was prepared for; throws otherwise.
template <multipliable A, multipliable X, writable Y>
void multiply(const plan& prepared, const A& a, const X& x, Y&& y) {
  using T = value_of<A>;
  if constexpr (std::same_as<T, value_of<X>> && std::same_as<T, value_of<Y>>)
    detail::multiply_planned<T>(prepared, detail::expressed(a), detail::expressed(x), target(y));
  else  // throws
    detail::multiply_dense(prepared, express(a), express(x), nullptr, target(y));
}
/// y = A x + z with a plan.
template <multipliable A, multipliable X, multipliable Z, writable Y>
void multiply(const plan& prepared, const A& a, const X& x, const Z& z, Y&& y) {
  const operand addend = express(z);
  detail::multiply_dense(prepared, express(a), express(x), &addend, target(y));
}

/// C = A B, both sparse (SpGEMM). The library allocates C with the narrowest safe index widths.
/// Options select another semiring, a mask, and which nonzeros to keep. C has the nonzeros of the
/// product that the mask admits; a mask adds none. min_plus and max_plus propagate NaN: once NaN,
/// always NaN; an infinite value stays stored.
template <multipliable A, multipliable B>
csr_matrix<value_of<A>> multiply(const context& where, const A& a, const B& b,
                                 const options& how = {}) {
  return std::get<csr_matrix<value_of<A>>>(
      detail::multiply_sparse(where, express(a), express(b), how));
}
/// The same, and stores in `why` what a plan would explain, with the measured phases of this
/// product where the kernel measures them.
template <multipliable A, multipliable B>
csr_matrix<value_of<A>> multiply(const context& where, const A& a, const B& b, const options& how,
                                 explanation& why) {
  return std::get<csr_matrix<value_of<A>>>(
      detail::multiply_sparse(where, express(a), express(b), how, &why));
}

/// C = A B with C in host memory. On a device, where A, B and a mask live, rows of C are computed
/// in slices that fit its memory, or the memory limit, and copied one after another: C need not fit
/// the device. Bitwise the same as copy_to_host(multiply(where, a, b, how)). The host holds up to
/// twice C for a moment.
template <multipliable A, multipliable B>
csr_matrix<value_of<A>> multiply_to_host(const context& where, const A& a, const B& b,
                                         const options& how = {}) {
  return std::get<csr_matrix<value_of<A>>>(
      detail::multiply_sparse_to_host(where, express(a), express(b), how));
}

/// An operand that may be added to a sparse product: neither a range nor something dense to write
/// to.
template <class Z>
concept addend = multipliable<Z> && !writable<Z> && !range_type<std::remove_cvref_t<Z>>;

/// C = A B + Z, all sparse; Z is a matrix or an expression such as scaled(beta, C). C has the union
/// of both patterns; beta = 0 does not read Z, which then contributes no nonzeros. A mask applies
/// to the product only; filters and drop_zeros apply to the sum. Only for plus_times.
template <multipliable A, multipliable B, addend Z>
csr_matrix<value_of<A>> multiply(const context& where, const A& a, const B& b, const Z& z,
                                 const options& how = {}) {
  return std::get<csr_matrix<value_of<A>>>(
      detail::multiply_added(where, express(a), express(b), express(z), how));
}
/// The same; `why` explains the product, not the addition.
template <multipliable A, multipliable B, addend Z>
csr_matrix<value_of<A>> multiply(const context& where, const A& a, const B& b, const Z& z,
                                 const options& how, explanation& why) {
  return std::get<csr_matrix<value_of<A>>>(
      detail::multiply_added(where, express(a), express(b), express(z), how, &why));
}

/// A B C, all sparse, such as the Galerkin product R A P: associated in the way that is estimated
/// to take fewer multiplications, the intermediate product freed. Scales and transpositions are
/// those of the operands; mask, filters and drop_zeros apply to the result; the memory limit to
/// each product. Over any semiring. `why` says what was chosen.
template <multipliable A, multipliable B, multipliable C>
csr_matrix<value_of<A>> triple_product(const context& where, const A& a, const B& b, const C& c,
                                       const options& how = {}, triple_choice* why = nullptr) {
  return std::get<csr_matrix<value_of<A>>>(
      detail::multiply_three(where, express(a), express(b), express(c), how, why));
}

/// The symbolic phase of C = A B: structure and size of C. Then call multiply_fill as often as
/// values change; a changed structure is detected and throws, but for a multiply_fill that is
/// captured in a CUDA graph, which cannot wait for the comparison.
template <multipliable A, multipliable B>
plan multiply_compute(const context& where, const A& a, const B& b, const options& how = {}) {
  return detail::compute_sparse(where, express(a), express(b), how);
}
/// The numeric phase: fills C, allocated with plan::result_shape() and plan::result_nnz() in the
/// memory of the plan's context.
template <multipliable A, multipliable B>
void multiply_fill(const plan& prepared, const A& a, const B& b, csr_matrix<value_of<A>>& c) {
  detail::fill_sparse(prepared, express(a), express(b), c.mutable_view());
}
template <multipliable A, multipliable B>
void multiply_fill(const plan& prepared, const A& a, const B& b, csr_view<value_of<A>> c) {
  detail::fill_sparse(prepared, express(a), express(b), c);
}

}  // namespace gossamer
