// 1D products: every rank computes its rows of C from its rows of A and the rows of B they need.
#pragma once

#include "distributed/products/budget.hpp"
#include "distributed/products/row_requests.hpp"
#include "gossamer/mpi/distributed_products.hpp"

namespace gossamer::mpi {

/// What a rank knows before its rows of B arrive: its rows of A in one piece, the rows of B that
/// they need, and their lengths.
template <real_scalar T>
struct row_problem {
  compact_rows<T> a;
  std::optional<row_requests> needed;
  buffer<index_t> work;  ///< multiplications before each local row, and of all
};

/// Asks for the lengths of the rows of B. Collective; throws on all ranks alike.
template <real_scalar T>
row_problem<T> describe_rows(const budget& within, const distributed_csr<T>& a,
                             const distributed_csr<T>& b);

/// The product, in as many rounds as the memory limit needs: in each of them a rank computes some
/// of its rows, so that sums are never cut. `rounds` says how many. Collective.
template <real_scalar T>
distributed_csr<T> multiply_rows(const budget& within, const distributed_csr<T>& b,
                                 const row_problem<T>& on, const spgemm_options& how,
                                 index_t& rounds);

}  // namespace gossamer::mpi
