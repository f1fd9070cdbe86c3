// y = A x with a plan, the call that is made most often. What is like the operands of the plan was
// checked when it was made, and CSR goes to its kernel as it is; for everything else, also to say
// what is wrong, there is the way of all calls.
#include "gossamer/multiply.hpp"
#include "plan/implementation.hpp"

namespace gossamer::detail {

namespace {

template <class T>
csr_run<T> run_of(const kernel& k) {
  if constexpr (std::same_as<T, float>)
    return k.run_f32;
  else
    return k.run_f64;
}

template <class T>
bool is_like(const csr_view<const T>& a, const operand_facts& planned) {
  return planned.values == value_type_of<T> && a.shape == planned.shape && a.nnz() == planned.nnz &&
         a.columns.width() == planned.index.indices && a.offsets.width() == planned.index.offsets &&
         a.where == planned.where;
}

template <class T>
bool is_vector(const dense_view<T>& v, index_t size, memory where) {
  return v.shape == extents{size, 1} && v.row_step() == 1 && v.where == where;
}

template <class T>
bool apart(const T* a, index_t a_size, const T* b, index_t b_size) {
  return a + a_size <= b || b + b_size <= a;
}

/// False: nothing was done.
template <scalar T>
bool ran_as_planned(const plan::implementation& made, const expression<T>& a,
                    const expression<T>& x, const dense_view<T>& y) {
  const auto run = run_of<T>(*made.chosen.chosen);
  const auto* matrix = std::get_if<csr_view<const T>>(&a.view);
  const auto* from = std::get_if<dense_view<const T>>(&x.view);
  const T alpha = a.alpha * x.alpha;
  if (!run || !matrix || !from || a.transposed || x.transposed || alpha == T{0}) return false;
  const auto [rows, cols] = matrix->shape;
  if (!is_like(*matrix, made.problem.a) || !is_vector(*from, cols, matrix->where) ||
      !is_vector(y, rows, matrix->where) || !apart(y.values, rows, from->values, cols) ||
      !apart<const T>(y.values, rows, matrix->values, matrix->nnz()))
    return false;
  run(made.state, *matrix, {.alpha = alpha, .x = from->values, .y = y.values});
  return true;
}

}  // namespace

template <scalar T>
void multiply_planned(const plan& prepared, const expression<T>& a, const expression<T>& x,
                      const dense_view<T>& y) {
  if (!ran_as_planned(prepared.impl(), a, x, y)) multiply_dense(prepared, a, x, nullptr, y);
}
template void multiply_planned(const plan&, const expression<float>&, const expression<float>&,
                               const dense_view<float>&);
template void multiply_planned(const plan&, const expression<double>&, const expression<double>&,
                               const dense_view<double>&);

}  // namespace gossamer::detail
