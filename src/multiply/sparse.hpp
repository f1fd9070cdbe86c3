// Products with a sparse result, for callers inside the project.
#pragma once

#include "multiply/sparse_steps.hpp"

namespace gossamer::detail {

/// multiply_sparse with other steps. `why` may be null.
csr_result multiply_sparse_by(const sparse_steps& steps, const context& where, const operand& a,
                              const operand& b, const options& how, explanation* why);

/// The choice for a sparse product and its reasons, without computing it. Without a memory limit
/// this only counts the multiplications; under one it counts the nonzeros of the result.
explanation explain_sparse(const context& where, const operand& a, const operand& b,
                           const options& how);

}  // namespace gossamer::detail
