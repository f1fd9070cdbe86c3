// Plans of sparse products: multiply_compute makes one, multiply_fill runs it.
#include "backends/cuda/arrays.hpp"
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "formats/sizes.hpp"
#include "multiply/checks.hpp"
#include "multiply/memory_check.hpp"
#include "multiply/options.hpp"
#include "multiply/sparse_steps.hpp"
#include "plan/fingerprint.hpp"

namespace gossamer::detail {

namespace {

template <class T>
void require_result(const plan::implementation& plan, const csr_view<T>& c) {
  if (value_type_of<T> != plan.problem.a.values)
    throw fail(error_kind::bad_argument, "A holds {} and the result holds {}",
               name(plan.problem.a.values), name(value_type_of<T>));
  if (c.shape != plan.problem.result || c.nnz() != plan.state.spgemm.result_nnz)
    throw fail(error_kind::bad_argument,
               "the result needs room for {} with {} entries, but was given {} with {}",
               shape_text(plan.problem.result), count_text(plan.state.spgemm.result_nnz),
               shape_text(c.shape), count_text(c.nnz()));
  if (const auto wanted = plan.where.memory()->where(); c.where != wanted)
    throw fail(error_kind::bad_argument,
               "the result ({}) lives in {} memory, but the plan was made under a {} context and "
               "needs it in {} memory; allocate it with context::memory()",
               shape_text(c.shape), name(c.where), name(plan.where.backend()), name(wanted));
  require_fits(c.shape, c.nnz(), {c.columns.width(), c.offsets.width()});
  const bool lacks_offsets = c.offsets.size() != c.shape.rows + 1;  // also of no rows: C has one
  if (const auto problem = size_problem(csr_view<const T>(c)); !problem.empty() || lacks_offsets)
    throw fail(error_kind::bad_argument, "the result ({}): {}", shape_text(c.shape),
               lacks_offsets ? formatted("{} offsets were given, expected {}", c.offsets.size(),
                                         c.shape.rows + 1)
                             : problem);
}

}  // namespace

plan compute_sparse(const context& where, const operand& a, const operand& b,
                    const options& how) try {
  require_structural_options(how);
  operands o = check_sparse(where, a, b);
  require_sparse_options(where, o, how);
  options kept = how;
  std::shared_ptr<const held_mask> mask;
  if (how.mask) {
    mask = std::make_shared<const held_mask>(where, *how.mask);
    kept.mask = mask->view();
  }
  auto decided = decide_sparse(where, o, kept, reasons::given);
  require_result_fits(decided.problem, o, decided.where, usable_memory());
  auto implementation = plan_sparse(std::move(decided), o);
  implementation->mask = std::move(mask);
  implementation->structure = structure_fingerprint(o.a, o.b, implementation->where);
  return plan(std::move(implementation));
} catch (const std::bad_alloc&) {
  refuse_memory("a sparse product");
}

void fill_sparse(const plan& prepared, const operand& a, const operand& b,
                 const csr_target& c) try {
  const auto& plan = prepared.impl();
  if (plan.problem.operation != operation::spgemm)
    throw fail(error_kind::bad_argument, "this plan is for {}; use multiply",
               name(plan.problem.operation));
  operands o = check_sparse(plan.where, a, b);
  require_planned(plan.problem, o.a, o.b);
  require_sparse_options(plan.where, o, plan.problem.options);
  // A captured stream cannot wait for the answer; who captures vouches for the structure.
  if (!cuda::is_captured(plan.where) &&
      plan.structure != structure_fingerprint(o.a, o.b, plan.where))
    throw fail(
        error_kind::bad_argument,
        "the structure of A or B changed after multiply_compute (same sizes, other indices); "
        "call multiply_compute again");
  std::visit([&](const auto& out) { require_result(plan, out); }, c);
  run_sparse(plan, o, c);
} catch (const std::bad_alloc&) {
  refuse_memory("a sparse product");
}

}  // namespace gossamer::detail
