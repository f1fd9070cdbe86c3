// Sums of matrices over the addition of a semiring: results of several layers, or rounds, become
// one.
#pragma once

#include "gossamer/context.hpp"
#include "gossamer/matrix.hpp"

namespace gossamer::mpi {

/// X + Y on the union of both patterns, rows sorted as those of the operands are; sums of X come
/// first. Not collective.
template <real_scalar T>
csr_matrix<T> merge_rows(const context& where, semiring over, const csr_view<const T>& x,
                         const csr_view<const T>& y);

}  // namespace gossamer::mpi
