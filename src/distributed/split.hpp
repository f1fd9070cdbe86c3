// Rows with global columns become two parts: columns of this rank, and columns of others.
#pragma once

#include "gossamer/distributed.hpp"

namespace gossamer::mpi {

template <real_scalar T>
struct split_rows {
  csr_matrix<T> own, off;
  buffer<index_t> halo;  ///< global columns of `off`, ascending
};

/// Splits rows, sorted and without duplicates, by whether a column is in [first, last). Local.
template <real_scalar T>
split_rows<T> split(const context& where, const csr_view<const T>& rows, index_t first,
                    index_t last);

}  // namespace gossamer::mpi
