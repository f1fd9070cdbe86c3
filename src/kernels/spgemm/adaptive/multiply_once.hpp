#pragma once

#include "plan/kernel.hpp"

namespace gossamer::adaptive {

/// C = alpha A B by spgemm/csr/adaptive, without a plan.
csr_result multiply_once(const problem&, const operands&, const context&);

}  // namespace gossamer::adaptive
