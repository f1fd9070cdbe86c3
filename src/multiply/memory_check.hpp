// Whether a sparse product can fit the memory that there is, before it is begun.
#pragma once

#include "plan/kernel.hpp"

namespace gossamer::detail {

/// Throws error(out_of_memory) when C alone would take more than `memory` bytes. Without a memory
/// limit nothing is counted before a product, so this looks at the number of multiplications first,
/// which C cannot exceed, and only where that would be too much at a sample of the rows. A product
/// is refused when even the lower bound of the estimate is too large. Results of masks and filters
/// are not known before and pass.
void require_result_fits(const problem& p, const operands& o, const context& where, index_t memory);

}  // namespace gossamer::detail
