// The description of a sparse product, from which a kernel is chosen.
#pragma once

#include "plan/kernel.hpp"

namespace gossamer::detail {

/// describe_sparse, and under a memory limit also problem::counted and operands::counted. Throws
/// error(memory_limit) when the limit does not even allow to count.
problem describe_product(const context& where, operands& o, const options& how);

}  // namespace gossamer::detail
