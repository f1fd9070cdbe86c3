// Products with a dense result over a semiring, or under a mask: on CPUs, without a plan.
#pragma once

#include "gossamer/multiply.hpp"

namespace gossamer::detail {

/// Whether the options ask for what kernels of dense results do not know.
bool asks_for_semiring(const options& how);

/// Y = A X, or Z + A X with the addition of the semiring, for dense X, Y and Z.
void multiply_over_semiring(const context& where, const operand& a, const operand& x,
                            const operand* z, const dense_target& y, const options& how);

}  // namespace gossamer::detail
