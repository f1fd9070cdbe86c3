#include "multiply/describe_product.hpp"

#include "kernels/count_result.hpp"
#include "plan/describe_problem.hpp"

namespace gossamer::detail {

problem describe_product(const context& where, operands& o, const options& how) {
  if (how.memory_limit <= 0) return describe_sparse(where, o, how);
  const problem asked = describe_operands(where, o, how);
  const bool countable = can_count_result(asked);
  if (countable) require_memory_to_count(asked);
  // Multiplications with a CSC operand are counted in one array per thread; a single one is smaller
  // than the index that kernels make of it.
  const bool indexed = asked.b.format == format::csc;
  problem p = describe_sparse(indexed ? where.with_threads(1) : where, o, how);
  p.threads = where.threads();
  if (countable) o.counted = count_result(p, o, where);
  return p;
}

}  // namespace gossamer::detail
