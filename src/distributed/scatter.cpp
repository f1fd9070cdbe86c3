// A matrix that one rank has, distributed, and a distributed one on a single rank.
#include <array>

#include "base/text.hpp"
#include "distributed/exchange.hpp"
#include "distributed/partitions.hpp"
#include "distributed/rows_exchange.hpp"
#include "gossamer/validate.hpp"

namespace gossamer::mpi {
namespace {

void require_root(const communicator& ranks, int root) {
  require_alike(ranks, root, "the root");
  if (root < 0 || root >= ranks.size())
    throw agreed_error(
        error_kind::bad_argument,
        formatted("the root is rank {}; expected one of the {} ranks", root, ranks.size()), 0);
}

template <real_scalar T>
void require_whole(const csr_view<const T>& whole) {
  if (whole.where != memory::host)
    throw fail(error_kind::not_available,
               "the {} matrix to be scattered is on a device; copy it to the host first",
               shape_text(whole.shape));
  if (const auto found = inspect_structure(whole); !found.valid)
    throw fail(error_kind::bad_argument, "the {} matrix to be scattered: {}",
               shape_text(whole.shape), found.problem);
}

/// The rows of each rank; the root knows the matrix and decides.
template <real_scalar T>
partition rows_for(const communicator& ranks, const csr_view<const T>& whole, index_t rows,
                   const distribution& how, int root) {
  if (how.rows) return *how.rows;
  if (how.balance == balance::rows) return partition::by_count(rows, ranks.size());
  std::vector<index_t> offsets;
  agreed(ranks, [&] {
    offsets.assign(static_cast<std::size_t>(ranks.size()) + 1, 0);
    if (ranks.rank() != root) return;
    std::vector<index_t> lengths(static_cast<std::size_t>(rows));
    for (index_t i = 0; i < rows; ++i)
      lengths[static_cast<std::size_t>(i)] = whole.offsets[i + 1] - whole.offsets[i];
    const auto balanced = partition::by_weight(lengths, ranks.size());
    offsets.assign(balanced.offsets().begin(), balanced.offsets().end());
  });
  check(MPI_Bcast(offsets.data(), static_cast<int>(offsets.size()), MPI_INT64_T, root,
                  ranks.impl().comm),
        "MPI_Bcast");
  return partition(std::move(offsets));
}

}  // namespace

template <real_scalar T>
distributed_csr<T> scatter(const context& where, const communicator& ranks,
                           const csr_view<const T>& whole, const distribution& how, int root) {
  require_root(ranks, root);
  const bool mine = ranks.rank() == root;
  agreed(ranks, [&] {
    if (mine) require_whole(whole);
  });
  std::array<index_t, 2> size{whole.shape.rows, whole.shape.cols};
  check(MPI_Bcast(size.data(), 2, MPI_INT64_T, root, ranks.impl().comm), "MPI_Bcast");
  if (how.rows) require_partition(ranks, *how.rows, size[0], "rows");
  const auto rows = rows_for(ranks, whole, size[0], how, root);
  const auto counts = agreed(ranks, [&] {
    std::vector<index_t> each(static_cast<std::size_t>(ranks.size()), 0);
    for (int r = 0; mine && r < ranks.size(); ++r)
      each[static_cast<std::size_t>(r)] = rows.count(r);
    return each;
  });
  const csr_view<const T> nothing({0, size[1]}, {}, {}, nullptr);
  const auto arrived = exchange_rows<T>(where, ranks, mine ? whole : nothing, counts);
  return {where, ranks, arrived.view(), how.columns};
}

template <real_scalar T>
csr_matrix<T> gather(const context& where, const distributed_csr<T>& a, int root) {
  const auto& ranks = a.ranks();
  require_root(ranks, root);
  csr_matrix<T> mine;
  std::vector<index_t> counts;
  agreed(ranks, [&] {
    mine = local_rows(where, a);
    counts.assign(static_cast<std::size_t>(ranks.size()), 0);
    counts[static_cast<std::size_t>(root)] = a.local_rows();
  });
  return exchange_rows<T>(where, ranks, mine.view(), counts);
}

template <real_scalar T>
std::vector<T> gather(const communicator& ranks, const partition& blocks, std::span<const T> mine,
                      int root) {
  require_root(ranks, root);
  std::vector<index_t> counts;
  agreed(ranks, [&] {
    if (blocks.ranks() != ranks.size() ||
        blocks.count(ranks.rank()) != static_cast<index_t>(mine.size()))
      throw fail(
          error_kind::bad_argument,
          "a block of a vector has {} elements; expected {}, those of this rank in the partition",
          count_text(static_cast<index_t>(mine.size())),
          blocks.ranks() == ranks.size() ? count_text(blocks.count(ranks.rank()))
                                         : formatted("one of {} blocks", ranks.size()));
    counts.assign(static_cast<std::size_t>(ranks.size()), 0);
    counts[static_cast<std::size_t>(root)] = static_cast<index_t>(mine.size());
  });
  exchange of_elements(ranks, counts);
  auto all = agreed(
      ranks, [&] { return std::vector<T>(static_cast<std::size_t>(of_elements.received())); });
  of_elements.run(mine.data(), all.data());
  return all;
}

template distributed_csr<float> scatter(const context&, const communicator&,
                                        const csr_view<const float>&, const distribution&, int);
template distributed_csr<double> scatter(const context&, const communicator&,
                                         const csr_view<const double>&, const distribution&, int);
template csr_matrix<float> gather(const context&, const distributed_csr<float>&, int);
template csr_matrix<double> gather(const context&, const distributed_csr<double>&, int);
template std::vector<float> gather(const communicator&, const partition&, std::span<const float>,
                                   int);
template std::vector<double> gather(const communicator&, const partition&, std::span<const double>,
                                    int);

}  // namespace gossamer::mpi
