// gossamer multiply --distributed in a build without MPI: it says how to get it.
#include "cli/commands/distributed.hpp"
#include "cli/output/failure.hpp"

namespace gossamer::cli {

exit_code multiply_distributed(const multiply_request&) {
  throw not_built_error(
      "--distributed: this build has no MPI; install one (Debian: libopenmpi-dev) and configure "
      "with "
      "-DGOSSAMER_MPI=ON",
      "cmake --preset release -DGOSSAMER_MPI=ON && cmake --build --preset release");
}

}  // namespace gossamer::cli
