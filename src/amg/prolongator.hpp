// Prolongators: tentative ones from aggregates and near-null-space vectors, and smoothed ones.
#pragma once

#include "amg/aggregate.hpp"
#include "amg/strength.hpp"

namespace gossamer::amg {

/// The tentative prolongator T: row i has k values, in the columns k * aggregate of the node of i
/// and after. T^T T = I, and T times the coarse vectors are the fine ones.
template <real T>
struct tentative {
  index_t k = 1;
  buffer<T> values;       ///< n x k, row-major
  buffer<T> coarse;       ///< the vectors of the coarse level, (k * aggregates) x k, row-major
  index_t dependent = 0;  ///< columns of T that are zero: an aggregate has fewer than k directions
};

/// QR of the vectors restricted to each aggregate. `vectors` is n x k, row-major.
template <real T>
tentative<T> make_tentative(int threads, const aggregation& nodes, index_t block, index_t k,
                            const buffer<T>& vectors);

/// What a prolongator is smoothed with: P = (I - weight D^-1 A) T.
template <real T>
struct smoothing_step {
  csr_view<const T> a;
  const T* diagonal = nullptr;
  T weight = 0;
  index_t block = 1;
};

/// The product and the difference in one pass over A, without storing T or A T.
template <real T>
csr_matrix<T> smooth_prolongator(int threads, const smoothing_step<T>& by, const aggregation& nodes,
                                 const tentative<T>& t);
/// The same for new values of A: only the values of P change.
template <real T>
void resmooth_prolongator(int threads, const smoothing_step<T>& by, const aggregation& nodes,
                          const tentative<T>& t, csr_matrix<T>& p);

/// T as a matrix.
template <real T>
csr_matrix<T> tentative_matrix(int threads, const aggregation& nodes, index_t block,
                               const tentative<T>& t);

}  // namespace gossamer::amg
