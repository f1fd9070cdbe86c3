// Which algorithm sends the fewest bytes from its busiest rank.
#pragma once

#include "gossamer/mpi/distributed_products.hpp"

namespace gossamer::mpi {

/// What is known before anything but lengths of rows was sent: sums over all ranks.
struct product_facts {
  int ranks = 1;
  extents a, b;
  index_t a_nnz = 0, b_nnz = 0;
  index_t row_bytes = 0;  ///< of a 1D product, exact
  index_t row_most = 0;   ///< of its busiest rank, exact
  index_t value = 8;      ///< bytes of a value
  /// Estimated nonzeros of C, and of the results of 2, 4, 8 and 16 layers together.
  double c_nnz[5] = {};
};

/// Nonzeros of a row of C that `work` multiplications are expected to give, if columns are random.
double expected_nonzeros(index_t work, index_t columns, int layers);

/// Estimates of 1D, 2D and 3D, the latter for the best number of layers or the one that was asked
/// for. Grids that leave more than a quarter of the ranks idle are considered only where 3D was
/// asked for: they send few bytes because few ranks compute.
std::vector<predicted_traffic> estimate_traffic(const product_facts& of, const spgemm_options& how);

/// Of the estimates that the options allow, the one whose busiest rank sends least.
const predicted_traffic& cheapest(const std::vector<predicted_traffic>& all,
                                  const std::string& algorithm);

}  // namespace gossamer::mpi
