// Calls of MPI as the library makes them: what a communicator holds, errors of MPI as errors of the
// library, types of MPI. The only header that sees mpi.h.
#pragma once

#include <mpi.h>

#include <concepts>
#include <vector>

#include "gossamer/distributed.hpp"

namespace gossamer::mpi {

struct communicator::implementation {
  implementation(MPI_Comm owned);
  implementation(const implementation&) = delete;
  ~implementation();
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
  traffic sent;  ///< changed by whoever sends; one thread at a time
};

/// Throws error(device_failure) with MPI's own words unless `code` is success.
void check(int code, const char* call);

/// The MPI type of a number.
template <class E>
MPI_Datatype type_of() {
  if constexpr (std::same_as<E, double>) return MPI_DOUBLE;
  if constexpr (std::same_as<E, float>) return MPI_FLOAT;
  if constexpr (std::same_as<E, int>) return MPI_INT;
  if constexpr (std::same_as<E, std::int64_t>) return MPI_INT64_T;
  if constexpr (std::same_as<E, std::uint64_t>) return MPI_UINT64_T;
  if constexpr (std::same_as<E, char> || std::same_as<E, std::byte>) return MPI_BYTE;
}

/// The sum, the least, the greatest of one number of every rank, on all ranks.
template <class E>
E reduced(const communicator& ranks, E mine, MPI_Op how) {
  E all{};
  check(MPI_Allreduce(&mine, &all, 1, type_of<E>(), how, ranks.impl().comm), "MPI_Allreduce");
  return all;
}
template <class E>
E sum_of(const communicator& ranks, E mine) {
  return reduced(ranks, mine, MPI_SUM);
}
template <class E>
E least_of(const communicator& ranks, E mine) {
  return reduced(ranks, mine, MPI_MIN);
}
template <class E>
E greatest_of(const communicator& ranks, E mine) {
  return reduced(ranks, mine, MPI_MAX);
}

/// One number of every rank, in the order of ranks, on all of them. The vector is the caller's, so
/// that nothing is allocated, and nothing can fail, between two ranks.
template <class E>
void gather_all(const communicator& ranks, E mine, std::vector<E>& all) {
  check(MPI_Allgather(&mine, 1, type_of<E>(), all.data(), 1, type_of<E>(), ranks.impl().comm),
        "MPI_Allgather");
}

}  // namespace gossamer::mpi
