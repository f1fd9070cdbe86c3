// For builds without METIS.
#include "distributed/graph/tools.hpp"

namespace gossamer::mpi {

bool has_metis() { return false; }

std::vector<int> metis_parts(const graph&, int) {
  throw error(error_kind::not_available,
              "this build of gossamer::mpi has no METIS; install it (Debian: libmetis-dev) and "
              "build again");
}

}  // namespace gossamer::mpi
