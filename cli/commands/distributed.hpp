// gossamer multiply --distributed: a product by all ranks of an MPI program.
#pragma once

#include "cli/commands/multiply_request.hpp"
#include "cli/output/exit_codes.hpp"

namespace gossamer::cli {

/// Runs the product on all ranks; rank 0 reports, all return the same code. In a build without MPI
/// it throws and says how one is built.
exit_code multiply_distributed(const multiply_request& asked);

}  // namespace gossamer::cli
