// Triplets that may be on any rank, sent to those that have their rows.
#pragma once

#include "gossamer/distributed.hpp"

namespace gossamer::mpi {

/// Triplets with indices in range become the local rows of each rank, with global columns, under
/// this partition. Collective; throws on all ranks alike.
template <real_scalar T>
csr_matrix<T> rows_of_triplets(const context& where, const communicator& ranks,
                               const coo_view<const T>& triplets, const partition& rows);

/// The same as a matrix, distributed as asked. The shape and `how` are the same on all ranks.
template <real_scalar T>
distributed_csr<T> matrix_of_triplets(const context& where, const communicator& ranks,
                                      const coo_view<const T>& triplets, const distribution& how);

}  // namespace gossamer::mpi
