// Counts the triangles of a graph: over each edge below the diagonal, the paths of two edges that
// close it. The mask keeps the product as small as the graph.
#include <iostream>
#include <numeric>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

/// Edges in both directions, each once, none from a node to itself, all of weight 1.
gs::csr_matrix<double> graph_of(const gs::csr_matrix<double>& links) {
  auto G = gs::select(gs::add(links, gs::transposed(links)),
                      [](auto i, auto j, auto) { return i != j; });
  std::fill(G.values().begin(), G.values().end(), 1.0);
  return G;
}

double count_triangles(const gs::context& cpu, const gs::csr_matrix<double>& G) {
  // [everyday]
  const auto L = gs::tril(cpu, G, -1);
  const auto C =
      gs::multiply(cpu, L, L, {.semiring = gs::semiring::plus_pair, .mask = gs::pattern_of(L)});
  // [/everyday]
  return std::accumulate(C.values().begin(), C.values().end(), 0.0);
}

int main(int argc, char** argv) {
  const auto cpu = gs::context::openmp();
  const auto G = graph_of(argc > 1 ? gs::read_sparse<double>(argv[1])
                                   : gs::generate::rmat<double>(cpu, 10, 8));
  const double count = count_triangles(cpu, G);
  std::cout << G.rows() << " nodes, " << G.nnz() / 2 << " edges, " << count << " triangles\n";

  // The trace of G³ sees each triangle six times; and K6, all edges of six nodes, has 20.
  const auto cube = gs::triple_product(cpu, G, G, G);
  const auto diagonal = gs::diagonal_of(cube);
  const double trace = std::accumulate(diagonal.begin(), diagonal.end(), 0.0);
  const gs::dense_matrix<double> ones = [] {
    gs::dense_matrix<double> all(6, 6);
    std::fill(all.values().begin(), all.values().end(), 1.0);
    return all;
  }();
  return trace == 6 * count && count_triangles(cpu, graph_of(gs::from_dense(ones))) == 20 ? 0 : 1;
}
