// The direct solver of the coarsest level.
#pragma once

#include "gossamer/amg.hpp"

namespace gossamer::amg {

/// The inverse of a small matrix, dense but stored as CSR, so that a solve is a product like all
/// others. Of a singular matrix it is a generalised inverse: A X A = A.
template <real T>
struct small_inverse {
  csr_matrix<T> matrix;
  index_t rank = 0;
};
template <real T>
small_inverse<T> invert(const csr_view<const T>& a, bool symmetric);

}  // namespace gossamer::amg
