// Products with a sparse result that keep no plan: check, describe and choose once, run.
#include "multiply/sparse.hpp"

#include "base/refused_memory.hpp"
#include "multiply/memory_check.hpp"
#include "multiply/options.hpp"

namespace gossamer::detail {

namespace {

/// In one go, where the chosen kernel can; filters are part of its work or applied to its result.
csr_result multiply_once(const sparse_decision& decided, const operands& o) {
  const context& where = decided.where;
  const problem& p = decided.problem;
  const kernel& k = *decided.chosen.chosen;
  csr_result c = k.spgemm.once_for(p)(p, o, where);
  std::visit([&](auto& m) { zero_if_scaled_by_zero(where, o, m.mutable_view()); }, c);
  return k.spgemm.multiply_once_masked ? std::move(c) : filtered(where, std::move(c), p.options);
}

/// Under a memory limit the result was counted, and a plan takes what was; kernels on devices keep
/// the limit themselves.
bool can_multiply_once(const sparse_decision& decided) {
  const problem& p = decided.problem;
  return (p.options.memory_limit == 0 || p.backend == backend::cuda) &&
         decided.chosen.chosen->spgemm.once_for(p);
}

/// By a plan that is used once.
csr_result multiply_by_plan(sparse_decision decided, operands& o, explanation* why) {
  auto plan = plan_sparse(std::move(decided), o);
  if (why) *why = plan->chosen.why;
  csr_result c = with_value_type(plan->problem.a.values, [&]<class T>() -> csr_result {
    const index_t nnz = plan->state.spgemm.result_nnz;
    csr_matrix<T> result(plan->problem.result, nnz, narrowest(plan->problem.result, nnz),
                         plan->where.memory());
    run_sparse(*plan, o, result.mutable_view());
    return result;
  });
  if (plan->state.spgemm.masked) return c;
  const context where = plan->where;
  const options how = plan->problem.options;
  plan.reset();  // filtering needs the memory of its tables
  o.counted.reset();
  return filtered(where, std::move(c), how);
}

csr_result product(const sparse_steps& steps, const context& where, operands& o, const options& how,
                   explanation* why) {
  o.measured = why ? &why->phases : nullptr;
  auto decided = decide_sparse(where, o, how, why ? reasons::given : reasons::omitted, steps);
  require_result_fits(decided.problem, o, decided.where, steps.memory);
  if (!can_multiply_once(decided)) return multiply_by_plan(std::move(decided), o, why);
  if (why) *why = std::move(decided.chosen.why);
  return multiply_once(decided, o);
}

bool scaled_by_zero(const operands& o) {
  return std::visit(
      [&]<class T>(const expression<T>& a) { return a.alpha * alpha_of<T>(o.b) == T{0}; }, o.a);
}

}  // namespace

csr_result multiply_sparse_by(const sparse_steps& steps, const context& where, const operand& a,
                              const operand& b, const options& how, explanation* why) {
  operands o = check_sparse(where, a, b);
  require_sparse_options(where, o, how);
  // What is scaled by 0 is not read, so that no kernel can filter it.
  if (scaled_by_zero(o))
    return filtered(where, product(steps, where, o, without_filters(how), why), how);
  return product(steps, where, o, how, why);
}

csr_result multiply_sparse(const context& where, const operand& a, const operand& b,
                           const options& how, explanation* why) try {
  return multiply_sparse_by({}, where, a, b, how, why);
} catch (const std::bad_alloc&) {
  refuse_memory("a sparse product");
}

explanation explain_sparse(const context& where, const operand& a, const operand& b,
                           const options& how) try {
  operands o = check_sparse(where, a, b);
  require_sparse_options(where, o, how);
  return decide_sparse(where, o, how, reasons::given).chosen.why;
} catch (const std::bad_alloc&) {
  refuse_memory("a sparse product");
}

}  // namespace gossamer::detail
