// y = A x with a plan, the most frequent call. Operands that match those of the plan were checked
// when it was prepared, and CSR goes to its kernel as it is; everything else, also what is wrong,
// takes the path of all calls.
#include "multiply/plans/planned.hpp"

#include "base/refused_memory.hpp"
#include "formats/value_types.hpp"
#include "gossamer/multiply.hpp"
#include "gossamer/validate.hpp"

namespace gossamer::detail {

namespace {

template <class T>
csr_run<T> run_of(const kernel& k) {
  if constexpr (std::same_as<T, float>)
    return k.spmv.run_csr_f32;
  else if constexpr (std::same_as<T, double>)
    return k.spmv.run_csr_f64;
  else if constexpr (std::same_as<T, std::complex<float>>)
    return k.spmv.run_csr_c64;
  else
    return k.spmv.run_csr_c128;
}

template <class T>
bool is_like(const csr_view<const T>& a, const operand_facts& planned) {
  return planned.values == value_type_of<T> && a.shape == planned.shape && a.nnz() == planned.nnz &&
         a.columns.width() == planned.index.indices && a.offsets.width() == planned.index.offsets &&
         a.offsets.size() == planned.shape.rows + 1 && a.offsets.data() != nullptr &&
         a.columns.data() != nullptr && a.values != nullptr && a.where == planned.where &&
         (a.where == memory::device ||
          (a.offsets[0] == 0 && a.offsets[planned.shape.rows] == planned.nnz));
}

/// The matrix whose values the plan may have copied.
template <class T>
bool is_promised(const plan::implementation& plan, const csr_view<const T>& a) {
  return !plan.problem.options.constant_values ||
         (plan.kept[0] == a.values && plan.kept[1] == a.columns.data());
}

template <class T>
bool is_vector(const dense_view<T>& v, index_t size, memory where) {
  return v.shape == extents{size, 1} && v.row_step() == 1 && v.values != nullptr &&
         v.where == where;
}

template <class T>
bool disjoint(const T* a, index_t a_size, const T* b, index_t b_size) {
  return a + a_size <= b || b + b_size <= a;
}

}  // namespace

template <scalar T>
bool ran_as_planned(const plan::implementation& plan, const expression<T>& a,
                    const expression<T>& x, const dense_view<T>& y) {
  const auto run = run_of<T>(*plan.chosen.chosen);
  const auto* matrix = std::get_if<csr_view<const T>>(&a.view);
  const auto* from = std::get_if<dense_view<const T>>(&x.view);
  const T alpha = a.alpha * x.alpha;
  if (!run || !matrix || !from || a.transposed || x.transposed || x.conjugated || alpha == T{0})
    return false;
  const auto [rows, cols] = matrix->shape;
  if (validates_operands() || !is_promised(plan, *matrix)) return false;
  if (!is_like(*matrix, plan.problem.a) || !is_vector(*from, cols, matrix->where) ||
      !is_vector(y, rows, matrix->where) || !disjoint(y.values, rows, from->values, cols) ||
      !disjoint<const T>(y.values, rows, matrix->values, matrix->nnz()))
    return false;
  run(plan.state, *matrix,
      {.alpha = alpha, .x = from->values, .y = y.values, .conjugated = a.conjugated});
  return true;
}

template <scalar T>
void multiply_planned(const plan& prepared, const expression<T>& a, const expression<T>& x,
                      const dense_view<T>& y) try {
  if (!ran_as_planned(prepared.impl(), a, x, y)) multiply_dense(prepared, a, x, nullptr, y);
} catch (const std::bad_alloc&) {
  refuse_memory("a product");
}
#define GOSSAMER_INSTANTIATE(T)                                                           \
  template bool ran_as_planned(const plan::implementation&, const expression<T>&,         \
                               const expression<T>&, const dense_view<T>&);               \
  template void multiply_planned(const plan&, const expression<T>&, const expression<T>&, \
                                 const dense_view<T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::detail
