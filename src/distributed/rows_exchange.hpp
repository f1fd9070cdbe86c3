// Whole rows move between ranks: what gathering, scattering, redistributing and fetching rest on.
#pragma once

#include <span>

#include "gossamer/distributed.hpp"

namespace gossamer::mpi {

/// The next counts[r] rows of `rows` go to rank r, in order of ranks; returns the rows that arrive,
/// in order of the ranks they come from. Columns are global: rows.shape.cols is the same on all
/// ranks. Collective; throws on all ranks alike.
template <real_scalar T>
csr_matrix<T> exchange_rows(const context& where, const communicator& ranks,
                            const csr_view<const T>& rows, std::span<const index_t> counts);

}  // namespace gossamer::mpi
