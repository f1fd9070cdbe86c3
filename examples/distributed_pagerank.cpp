// PageRank over many processes: mpirun -n 4 gossamer_distributed_pagerank [links.mtx]
#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

#include "gossamer/distributed.hpp"
#include "gossamer/gossamer.hpp"

namespace gs = gossamer;
namespace mpi = gossamer::mpi;
using vec = std::vector<double>;

int main(int argc, char** argv) try {
  const mpi::environment started(argc, argv);
  const auto ranks = mpi::communicator::world();
  const auto cpu = gs::context::openmp();
  // Links from i to j, in blocks of rows with about as many links each.
  const mpi::distribution even{.balance = mpi::balance::nonzeros};
  auto links = argc > 1 ? mpi::read<double>(cpu, ranks, argv[1], even)
                        : mpi::generated<double>(cpu, ranks, "rmat", {"scale=12"}, even);
  const auto n = static_cast<double>(links.shape().rows);
  const auto here = static_cast<std::size_t>(links.local_rows());

  // Each page shares its rank among its links: row sums are a product with ones.
  const vec ones(static_cast<std::size_t>(links.local_columns()), 1.0);
  vec shares(here);
  mpi::multiply(cpu, links, ones, shares);
  std::vector<std::size_t> without_links;
  for (std::size_t i = 0; i < here; ++i)
    if (shares[i] == 0) without_links.push_back(i);

  // next = Lᵀ (rank / shares), without a transposed copy.
  constexpr double follow = 0.85;
  mpi::product_plan<double> follow_links(cpu, links, {.transposed = true});
  vec rank(here, 1 / n), given(here), next(here);
  double change = 1;
  int steps = 0;
  for (; change > 1e-12 && steps < 500; ++steps) {
    for (std::size_t i = 0; i < here; ++i) given[i] = shares[i] > 0 ? rank[i] / shares[i] : 0;
    mpi::multiply(follow_links, given, next);
    double lost = 0, moved = 0;
    for (const auto i : without_links) lost += rank[i];
    const double jump = (1 - follow + follow * mpi::sum(ranks, lost)) / n;
    for (std::size_t i = 0; i < here; ++i) {
      next[i] = follow * next[i] + jump;
      moved += std::abs(next[i] - rank[i]);
    }
    change = mpi::sum(ranks, moved);
    rank.swap(next);
  }

  double mine = 0;
  for (const double r : rank) mine += r;
  const double all = mpi::sum(ranks, mine);
  const auto whole = mpi::gather(ranks, links.row_partition(), std::span<const double>(rank));
  if (ranks.rank() == 0) {
    const auto best = std::max_element(whole.begin(), whole.end());
    std::cout << n << " pages, " << links.nnz() << " links, " << steps << " steps on "
              << ranks.size() << " ranks; page " << best - whole.begin()
              << " has the highest rank, " << *best << '\n';
  }
  return std::abs(all - 1) < 1e-9 && change <= 1e-12 ? 0 : 1;
} catch (const gs::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
