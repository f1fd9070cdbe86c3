// Ranks compare what they were told: sizes and partitions have to be the same on all of them.
#pragma once

#include "gossamer/distributed.hpp"

namespace gossamer::mpi {

/// Throws on all ranks unless the number is the same on all. Collective.
void require_alike(const communicator& ranks, index_t mine, const char* what);

/// Throws on all ranks unless the partition has this size, as many blocks as there are ranks, and
/// is the same on all of them. Collective.
void require_partition(const communicator& ranks, const partition& parts, index_t size,
                       const char* what);

}  // namespace gossamer::mpi
