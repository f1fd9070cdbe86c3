// For programs that have an MPI_Comm of their own: communicators from it. Needs mpi.h, unlike
// gossamer/distributed.hpp.
#pragma once

#include <mpi.h>

#include "gossamer/distributed.hpp"

namespace gossamer::mpi {

/// A duplicate of the program's communicator. Collective.
inline communicator from(MPI_Comm comm) {
  return communicator::from_fortran(static_cast<int>(MPI_Comm_c2f(comm)));
}

}  // namespace gossamer::mpi
