// Products with a dense result, y = alpha A x + beta z: check, plan, run.
#include "gossamer/multiply.hpp"

#include "base/limited_memory.hpp"
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "kernels/catalog.hpp"
#include "multiply/checks.hpp"
#include "multiply/dense_checks.hpp"
#include "multiply/elements.hpp"
#include "multiply/make_plan.hpp"
#include "multiply/mixed.hpp"
#include "multiply/options.hpp"
#include "multiply/over_semiring.hpp"
#include "multiply/plans/measure_kernels.hpp"
#include "multiply/plans/remembered.hpp"
#include "plan/describe_problem.hpp"

namespace gossamer::detail {

namespace {

/// A call that keeps no plan is not explained.
enum class use { once, kept };

/// The context with memory that refuses to exceed the limit: what a kernel will need it predicts,
/// and its tables may turn out larger.
context limited(const context& where, index_t limit) {
  if (limit <= 0) return where;
  return where.with_memory(std::make_shared<limited_memory>(where.memory(), limit));
}

std::shared_ptr<plan::implementation> make_dense_plan(const context& where, const operands& o,
                                                      const options& how, use used) {
  require_dense_options(how);
  if (used == use::once) require_predicted(how, "a product without a plan");
  require_measurable(how);
  const context here = limited(where.with_threads(how.threads), how.memory_limit);
  problem p = describe_dense(here, o, how);
  p.explained = used == use::kept;
  choice chosen = choose(p, machine_of(here), all_kernels());
  if (how.tune == tune::predict) return make_plan(here, std::move(p), o, std::move(chosen));
  auto best = measure_kernels(p, o, here, std::move(chosen), all_kernels());
  return keep_plan(here, std::move(p), std::move(best.chosen), std::move(best.prepared));
}

template <class T>
void run_dense(const plan::implementation& plan, const checked_call<T>& call) {
  if (call.skip_product)
    scale(plan.where, std::get<dense_view<T>>(*call.operands.dense),
          call.operands.template beta_as<T>());
  else
    plan.chosen.chosen->run(plan.state, call.operands, plan.where);
}

}  // namespace

void multiply_dense(const context& where, const operand& a, const operand& x, const operand* z,
                    const dense_target& y, const options& how) try {
  if (asks_for_semiring(how)) return multiply_over_semiring(where, a, x, z, y, how);
  if (widens(a, y)) return multiply_widened(where, a, x, z, y, how);
  if (!z && ran_as_remembered(where, a, x, y, how)) return;
  std::visit(
      [&]<class T>(const dense_view<T>& out) {
        const auto call = check_dense<T>(where, a, x, z, out);
        options once = how;
        once.constant_values = true;  // nobody can change them meanwhile
        const auto made = make_dense_plan(where, call.operands, once, use::once);
        made->kept = addresses_of(call.operands.a);
        run_dense(*made, call);
        remember(made, where, a, how);
      },
      y);
} catch (const std::bad_alloc&) {
  refuse_memory("a product");
}

plan inspect_dense(const context& where, const operand& a, const operand& x, const operand* z,
                   const dense_target& y, const options& how) try {
  return std::visit(
      [&]<class T>(const dense_view<T>& out) {
        const auto call = check_dense<T>(where, a, x, z, out);
        auto prepared = make_dense_plan(where, call.operands, how, use::kept);
        prepared->kept = addresses_of(call.operands.a);
        return plan(std::move(prepared));
      },
      y);
} catch (const std::bad_alloc&) {
  refuse_memory("a product");
}

void multiply_dense(const plan& prepared, const operand& a, const operand& x, const operand* z,
                    const dense_target& y) try {
  const auto& plan = prepared.impl();
  if (plan.problem.operation == operation::spgemm)
    throw fail(error_kind::bad_argument, "this plan is for a sparse product; use multiply_fill");
  std::visit(
      [&]<class T>(const dense_view<T>& out) {
        const auto call = check_dense<T>(plan.where, a, x, z, out);
        require_planned(plan.problem, call.operands.a, call.operands.b);
        require_promised(plan, call.operands.a);
        require_planned_vectors(plan.problem, view_as<dense_view<const T>>(call.operands.b), out);
        run_dense(plan, call);
      },
      y);
} catch (const std::bad_alloc&) {
  refuse_memory("a product");
}

}  // namespace gossamer::detail
