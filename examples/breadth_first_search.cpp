// Breadth-first search and shortest paths by products: the frontier is a sparse vector, the nodes
// that were seen are a mask.
#include <iostream>
#include <limits>
#include <queue>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

/// The level of each node, -1 where none leads. A frontier is a matrix of one row.
std::vector<int> levels_from(const gs::context& cpu, const gs::csr_matrix<double>& G, int source) {
  std::vector<int> level(static_cast<std::size_t>(G.rows()), -1);
  auto frontier = gs::from_triplets<double>({1, G.rows()}, {0}, {source}, {1.0});
  auto seen = frontier;
  for (int depth = 0; frontier.nnz() > 0; ++depth) {
    for (const auto [row, node, value] : frontier) level[static_cast<std::size_t>(node)] = depth;
    // [everyday]
    frontier = gs::multiply(
        cpu, frontier, G,
        {.semiring = gs::semiring::any_pair, .mask = gs::complement(gs::pattern_of(seen))});
    seen = gs::add(cpu, seen, frontier);
    // [/everyday]
  }
  return level;
}

/// Lengths of shortest paths (Bellman and Ford): d = min(d, Gᵀ d) until nothing changes.
std::vector<double> distances_from(const gs::context& cpu, const gs::csr_matrix<double>& G,
                                   int source) {
  const auto incoming = gs::transpose(cpu, G);
  std::vector<double> d(static_cast<std::size_t>(G.rows()),
                        std::numeric_limits<double>::infinity());
  d[static_cast<std::size_t>(source)] = 0;
  for (auto next = d;; d.swap(next)) {
    // [everyday]
    gs::multiply(cpu, incoming, d, d, next, {.semiring = gs::semiring::min_plus});
    // [/everyday]
    if (next == d) return d;
  }
}

/// The same with a queue, as the books have it.
std::vector<int> plain_levels(const gs::csr_matrix<double>& G, int source) {
  std::vector<int> level(static_cast<std::size_t>(G.rows()), -1);
  std::queue<gs::index_t> waiting({source});
  level[static_cast<std::size_t>(source)] = 0;
  for (; !waiting.empty(); waiting.pop()) {
    const auto node = waiting.front();
    for (auto p = G.row_offsets()[node]; p < G.row_offsets()[node + 1]; ++p)
      if (int& other = level[static_cast<std::size_t>(G.column_indices()[p])]; other < 0) {
        other = level[static_cast<std::size_t>(node)] + 1;
        waiting.push(G.column_indices()[p]);
      }
  }
  return level;
}

int main() {
  const auto cpu = gs::context::openmp();
  auto G = gs::generate::rmat<double>(cpu, 11, 4);
  std::fill(G.values().begin(), G.values().end(), 1.0);  // an edge is one step long
  const auto level = levels_from(cpu, G, 0);
  const auto d = distances_from(cpu, G, 0);
  int reached = 0, deepest = 0;
  bool right = level == plain_levels(G, 0);
  for (std::size_t i = 0; i < level.size(); ++i) {
    reached += level[i] >= 0 ? 1 : 0;
    deepest = std::max(deepest, level[i]);
    right = right && (level[i] < 0 ? d[i] > 1e300 : d[i] == level[i]);
  }
  std::cout << G.rows() << " nodes, " << reached << " reached in " << deepest << " steps\n";
  return right ? 0 : 1;
}
