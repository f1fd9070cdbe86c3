// The steps of a product with a sparse result: check, describe and choose, prepare, run. multiply,
// multiply_compute and explain_sparse are made of them.
#pragma once

#include <algorithm>

#include "backends/cuda/arrays.hpp"
#include "base/container.hpp"
#include "gossamer/multiply.hpp"
#include "kernels/catalog.hpp"
#include "multiply/describe_product.hpp"
#include "plan/implementation.hpp"

namespace gossamer::detail {

/// How a sparse product is described, and which kernels it is chosen from. Tests pass their own.
struct sparse_steps {
  problem (*describe)(const context&, operands&, const options&) = describe_product;
  catalogue kernels = all_kernels();
  index_t memory = usable_memory();  ///< bytes; a larger result is refused
};

/// A product that was described and whose kernel was chosen, each once.
struct sparse_decision {
  context where;  ///< with the threads and, on a device, the memory limit that the options ask for
  gossamer::problem problem;
  choice chosen;
};

/// Reasons are formatted for those who read them.
enum class reasons { omitted, given };

/// The context with memory that refuses to exceed the limit: the last guard of a product on a
/// device. On the host sizes are known before, and the context is returned as it is.
context within_limit(const context& where, index_t limit);

/// The operands in normal form, after the checks that a sparse product asks of them.
operands check_sparse(const context& where, const operand& a, const operand& b);

sparse_decision decide_sparse(const context& where, operands& o, const options& how, reasons given,
                              const sparse_steps& steps = {});

/// Prepares what was decided. Throws error(memory_limit) when a result that could not be counted
/// before turns out too large.
std::shared_ptr<plan::implementation> plan_sparse(sparse_decision decided, const operands& o);

/// Fills C by the plan.
void run_sparse(const plan::implementation& plan, operands& o, const csr_target& c);

/// alpha = 0 keeps the structure and never looks at the values of A and B.
template <class T>
void zero_if_scaled_by_zero(const context& where, const operands& o, const csr_view<T>& c) {
  if (alpha_of<T>(o.a) * alpha_of<T>(o.b) != T{0}) return;
  if (c.where == memory::device)
    cuda::scale(where, dense_view<T>(c.values, c.nnz(), memory::device), T{0});
  else
    std::fill_n(c.values, c.nnz(), T{0});
}

}  // namespace gossamer::detail
