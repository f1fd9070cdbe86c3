// What unplanned products remember. Somebody who multiplies again and again without a plan would
// pay for looking, choosing and splitting in every call; each thread keeps its last few decisions
// about y = A x instead. A decision is the kernel and how rows are shared out, never a value or an
// index of A, and only of kernels whose tables are right for every matrix of the same shape and
// number of nonzeros (kernel::tables_fit_all): a matrix that was changed, or another one at the
// same address, may be multiplied more slowly than it could be, and is never multiplied wrongly.
#pragma once

#include "plan/implementation.hpp"

namespace gossamer::detail {

/// Computes y = A x if the calling thread remembers a decision for it, for float and double. False:
/// nothing was done.
bool ran_as_remembered(const context& where, const operand& a, const operand& x,
                       const dense_target& y, const options& how);

/// Remembers the decision of a call without a plan, if it may be used again.
void remember(std::shared_ptr<const plan::implementation> made, const context& where,
              const operand& a, const options& how);

/// How many calls of this thread used a decision that it remembered. For tests.
index_t remembered_calls();

}  // namespace gossamer::detail
