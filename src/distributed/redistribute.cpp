// Rows move to other ranks.
#include <algorithm>

#include "distributed/calls.hpp"
#include "distributed/partitions.hpp"
#include "distributed/rows_exchange.hpp"

namespace gossamer::mpi {
namespace {

/// How many of the rows [first, last) each block has.
std::vector<index_t> overlaps(const partition& blocks, index_t first, index_t last) {
  std::vector<index_t> counts(static_cast<std::size_t>(blocks.ranks()), 0);
  for (int r = 0; r < blocks.ranks(); ++r) {
    const index_t begin = std::max(first, blocks.first(r)), end = std::min(last, blocks.last(r));
    counts[static_cast<std::size_t>(r)] = std::max<index_t>(end - begin, 0);
  }
  return counts;
}

}  // namespace

template <real_scalar T>
partition balanced_rows(const distributed_csr<T>& a) {
  // Each rank finds the boundaries that lie in its rows; a sum brings them to all.
  const auto& ranks = a.ranks();
  const auto size = static_cast<std::size_t>(ranks.size());
  std::vector<index_t> offsets, nonzeros;
  agreed(ranks, [&] {
    offsets.assign(size + 1, 0);
    nonzeros.assign(size, 0);
  });
  gather_all(ranks, a.local_nnz(), nonzeros);
  index_t before = 0;
  for (int r = 0; r < ranks.rank(); ++r) before += nonzeros[static_cast<std::size_t>(r)];
  if (a.nnz() == 0) return partition::by_count(a.shape().rows, ranks.size());
  const auto own = a.own().offsets, off = a.off().offsets;
  for (int r = 1; r < ranks.size(); ++r) {
    // The first row with at least r / size of the nonzeros before it.
    const auto wanted = static_cast<index_t>(static_cast<double>(a.nnz()) * r / ranks.size());
    if (wanted <= before || wanted > before + a.local_nnz()) continue;
    index_t low = 0, high = a.local_rows();
    while (low < high) {
      const index_t middle = low + (high - low) / 2;
      (before + own[middle] + off[middle] < wanted ? low = middle + 1 : high = middle);
    }
    offsets[static_cast<std::size_t>(r)] = a.first_row() + low;
  }
  check(MPI_Allreduce(MPI_IN_PLACE, offsets.data(), ranks.size(), MPI_INT64_T, MPI_SUM,
                      ranks.impl().comm),
        "MPI_Allreduce");
  offsets.back() = a.shape().rows;
  return partition(std::move(offsets));
}

template <real_scalar T>
distributed_csr<T> redistribute(const context& where, const distributed_csr<T>& a,
                                const distribution& how) {
  const auto& ranks = a.ranks();
  if (how.rows) require_partition(ranks, *how.rows, a.shape().rows, "rows");
  const auto rows = how.rows ? *how.rows
                    : how.balance == balance::nonzeros
                        ? balanced_rows(a)
                        : partition::by_count(a.shape().rows, ranks.size());
  csr_matrix<T> mine;
  std::vector<index_t> counts;
  agreed(ranks, [&] {
    mine = local_rows(where, a);
    counts = overlaps(rows, a.first_row(), a.first_row() + a.local_rows());
  });
  const auto arrived = exchange_rows<T>(where, ranks, mine.view(), counts);
  mine = {};
  return {where, ranks, arrived.view(), how.columns};
}

template partition balanced_rows(const distributed_csr<float>&);
template partition balanced_rows(const distributed_csr<double>&);
template distributed_csr<float> redistribute(const context&, const distributed_csr<float>&,
                                             const distribution&);
template distributed_csr<double> redistribute(const context&, const distributed_csr<double>&,
                                              const distribution&);

}  // namespace gossamer::mpi
