// gossamer multiply --distributed with a sparse right factor.
#pragma once

#include "cli/commands/multiply_request.hpp"
#include "cli/output/exit_codes.hpp"
#include "gossamer/distributed.hpp"

namespace gossamer::cli {

/// The product of two sparse matrices by all ranks; rank 0 reports. Collective: throws on all ranks
/// alike and returns the same code on all.
exit_code multiply_distributed_sparse(const multiply_request& asked,
                                      const mpi::communicator& ranks);

}  // namespace gossamer::cli
