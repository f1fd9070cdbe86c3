// For builds without Scotch.
#include "distributed/graph/tools.hpp"

namespace gossamer::mpi {

bool has_scotch() { return false; }

std::vector<int> scotch_parts(const graph&, int) {
  throw error(error_kind::not_available,
              "this build of gossamer::mpi has no Scotch; install it (Debian: libscotch-dev) and "
              "build again");
}

}  // namespace gossamer::mpi
