// What a matrix looks like, for the explorer: rows by length, and its nonzeros in a grid.
#pragma once

#include "cli/output/report.hpp"
#include "gossamer/analysis.hpp"

namespace gossamer::cli {

/// One line of details (gossamer-matrix/1) without the name.
json describe_structure(const csr_matrix<double>& a, const matrix_analysis& found,
                        const context& where);

}  // namespace gossamer::cli
