#include "multiply/sparse_steps.hpp"

#include "analysis/format_sizes.hpp"
#include "base/limited_memory.hpp"
#include "base/text.hpp"
#include "multiply/checks.hpp"
#include "multiply/make_plan.hpp"

namespace gossamer::detail {

namespace {

/// For semirings and masks, whose result is counted by the kernel itself.
void require_within_limit(const plan::implementation& plan) {
  const auto& p = plan.problem;
  const index_t needed =
      plan.state.bytes + analysis::csr_bytes(p.result, plan.state.spgemm.result_nnz, p.a.values);
  if (p.options.memory_limit == 0 || p.spgemm.counted || needed <= p.options.memory_limit) return;
  throw fail(error_kind::memory_limit,
             "the product of A ({}) and B ({}) has {} entries and needs {} with its tables, more "
             "than the limit of {}; raise the limit to {} bytes",
             shape_text(p.a.shape), shape_text(p.b.shape), count_text(plan.state.spgemm.result_nnz),
             bytes_text(needed), bytes_text(p.options.memory_limit), needed);
}

}  // namespace

context within_limit(const context& where, index_t limit) {
  if (where.backend() != backend::cuda || limit <= 0) return where;
  return where.with_memory(std::make_shared<limited_memory>(where.memory(), limit));
}

operands check_sparse(const context& where, const operand& a, const operand& b) {
  operands o;
  o.a = checked_form(a, "A");
  o.b = checked_form(b, "B");
  const auto fa = facts(o.a), fb = facts(o.b);
  require_sparse(fa, "A");
  require_sparse(fb, "B");
  require_same_type(fa, fb, "B");
  require_inner(fa, fb, "B");
  require_where(where, fa, "A");
  require_where(where, fb, "B");
  validate_on_device(where, o.a, "A");
  validate_on_device(where, o.b, "B");
  return o;
}

sparse_decision decide_sparse(const context& where, operands& o, const options& how, reasons given,
                              const sparse_steps& steps) {
  require_not_captured(where);
  const context here = where.with_threads(how.threads);
  problem p = steps.describe(here, o, how);
  p.explained = given == reasons::given;
  if (p.explained) count_for_explanation(p, o, here);
  choice chosen = choose(p, machine_of(here), steps.kernels);
  return {within_limit(here, how.memory_limit), std::move(p), std::move(chosen)};
}

std::shared_ptr<plan::implementation> plan_sparse(sparse_decision decided, const operands& o) {
  auto plan = make_plan(decided.where, std::move(decided.problem), o, std::move(decided.chosen));
  require_within_limit(*plan);
  return plan;
}

void run_sparse(const plan::implementation& plan, operands& o, const csr_target& c) {
  o.sparse = c;
  plan.chosen.chosen->run(plan.state, o, plan.where);
  std::visit([&](const auto& out) { zero_if_scaled_by_zero(plan.where, o, out); }, c);
}

}  // namespace gossamer::detail
