// Scotch: dual recursive bipartitioning (Pellegrini and Roman, HPCN 1996).
#include <cstdint>
#include <cstdio>
// It needs the two above before it.
#include <scotch.h>

#include "distributed/graph/tools.hpp"

namespace gossamer::mpi {
namespace {

/// Objects of Scotch are given back whatever happens.
struct scotch_graph {
  SCOTCH_Graph it;
  scotch_graph() { SCOTCH_graphInit(&it); }
  ~scotch_graph() { SCOTCH_graphExit(&it); }
};
struct scotch_strategy {
  SCOTCH_Strat it;
  scotch_strategy() { SCOTCH_stratInit(&it); }
  ~scotch_strategy() { SCOTCH_stratExit(&it); }
};

}  // namespace

bool has_scotch() { return true; }

std::vector<int> scotch_parts(const graph& of, int parts) {
  auto offsets = numbers_of<SCOTCH_Num>(of.offsets, "Scotch");
  auto neighbours = numbers_of<SCOTCH_Num>(of.neighbours, "Scotch");
  auto weights = numbers_of<SCOTCH_Num>(of.weights, "Scotch");
  std::vector<SCOTCH_Num> found(of.weights.size(), 0);
  std::vector<int> result(of.weights.size(), 0);
  if (parts == 1 || result.empty()) return result;
  SCOTCH_randomReset();  // the same parts in each run
  scotch_graph built;
  scotch_strategy strategy;
  const int refused =
      SCOTCH_graphBuild(&built.it, 0, static_cast<SCOTCH_Num>(of.vertices()), offsets.data(),
                        offsets.data() + 1, weights.data(), nullptr,
                        static_cast<SCOTCH_Num>(neighbours.size()), neighbours.data(), nullptr) ||
      SCOTCH_graphPart(&built.it, parts, &strategy.it, found.data());
  if (refused)
    throw fail(error_kind::bad_argument, "Scotch refused a graph of {} vertices for {} parts",
               count_text(of.vertices()), parts);
  for (std::size_t k = 0; k < found.size(); ++k) result[k] = static_cast<int>(found[k]);
  return result;
}

}  // namespace gossamer::mpi
