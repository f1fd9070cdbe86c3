// PageRank: the stationary distribution of a surfer who follows links and now and then jumps.
#include <cmath>
#include <iostream>
#include <numeric>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;
using vec = std::vector<double>;

int main(int argc, char** argv) {
  const auto cpu = gs::context::openmp();
  // Links from i to j; any file will do, such as an edge list of the SNAP collection.
  const auto links =
      argc > 1 ? gs::read_sparse<double>(argv[1]) : gs::generate::rmat<double>(cpu, 12, 8);
  const auto n = static_cast<std::size_t>(links.rows());

  // P = Lᵀ D: each page shares its rank among its links.
  auto shares = gs::row_sums(links);
  std::vector<std::size_t> without_links;
  for (std::size_t i = 0; i < n; ++i) {
    if (shares[i] == 0) without_links.push_back(i);
    shares[i] = shares[i] > 0 ? 1 / shares[i] : 0;
  }
  // [everyday]
  const auto P = gs::transpose(gs::scale_rows(links, shares));
  // [/everyday]

  constexpr double follow = 0.85;
  vec rank(n, 1.0 / static_cast<double>(n)), next(n);
  const auto plan = gs::multiply_inspect(cpu, P, rank, next, {.expected_calls = 100});
  double change = 1;
  int steps = 0;
  for (; change > 1e-12 && steps < 500; ++steps) {
    gs::multiply(plan, P, rank, next);
    double lost = 0;
    for (const auto i : without_links) lost += rank[i];
    const double jump = (1 - follow + follow * lost) / static_cast<double>(n);
    change = 0;
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = follow * next[i] + jump;
      change += std::abs(next[i] - rank[i]);
    }
    rank.swap(next);
  }

  const double sum = std::accumulate(rank.begin(), rank.end(), 0.0);
  const auto best = std::max_element(rank.begin(), rank.end()) - rank.begin();
  std::cout << n << " pages, " << links.nnz() << " links, " << steps << " steps; page " << best
            << " has the highest rank, " << rank[static_cast<std::size_t>(best)] << '\n';
  return std::abs(sum - 1) < 1e-9 && change <= 1e-12 ? 0 : 1;
}
