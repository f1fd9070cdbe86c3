// Multiplications per row of C = A B, counted from the patterns.
#pragma once

#include "analysis/pattern.hpp"

namespace gossamer::analysis {

/// Shapes must match. Throws error(overflow) when the total needs more than 64 bits.
buffer<index_t> products_per_row(const context& where, const pattern& a, const pattern& b);

}  // namespace gossamer::analysis
