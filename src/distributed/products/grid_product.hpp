// Sparse SUMMA on a grid of ranks, in one layer (2D) or several (3D).
#pragma once

#include "distributed/products/budget.hpp"
#include "gossamer/mpi/distributed_products.hpp"

namespace gossamer::mpi {

/// C = alpha A B on a grid. Rank (i, j, l) receives the rows of A of grid row i that meet layer l,
/// and the rows of B of layer l in block j of columns; what it computes goes to the ranks of grid
/// row i that have those rows, which add the layers up. `rounds` parts of the inner dimension are
/// multiplied one after another, as many as the memory limit needs. Collective.
template <real_scalar T>
distributed_csr<T> multiply_on_grid(const budget& within, const distributed_csr<T>& a,
                                    const distributed_csr<T>& b, const process_grid& grid,
                                    const spgemm_options& how, index_t& rounds);

}  // namespace gossamer::mpi
