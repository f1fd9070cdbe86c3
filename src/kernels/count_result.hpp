// The nonzeros of a sparse result, counted before a kernel is chosen: how a memory limit is kept.
// The conductor (src/multiply) calls this; kernels see what was counted
// (spgemm/frame/counted_rows).
#pragma once

#include "plan/kernel.hpp"

namespace gossamer {

/// Whether the result of this product can be counted: compressed operands on the host, ordinary
/// arithmetic, no mask. Asks for formats, shapes and options only.
bool can_count_result(const problem&);

/// Throws error(memory_limit) when the limit does not even allow to count.
void require_memory_to_count(const problem&);

/// Counts the nonzeros of every row of C in memory that stays below the limit, and sets the sizes
/// the choice rests on (problem::counted, and problem::compression where a rule asks for it).
std::shared_ptr<const counted_rows> count_result(problem&, const operands&, const context&);

}  // namespace gossamer
