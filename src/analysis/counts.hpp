// Statistics of counts most of which are zero.
#pragma once

#include <span>

#include "gossamer/analysis.hpp"

namespace gossamer::analysis {

/// Statistics of `counts` and of `zeros` more counts that are zero.
count_statistics statistics_with_zeros(const context& where, std::span<const index_t> counts,
                                       index_t zeros);

}  // namespace gossamer::analysis
