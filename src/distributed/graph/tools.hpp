// Partitioners of graphs, as reorder() calls them. A build without one has a file that says so.
#pragma once

#include <limits>
#include <vector>

#include "base/text.hpp"
#include "gossamer/mpi/distributed_reorder.hpp"

namespace gossamer::mpi {

/// An undirected graph without loops: each edge is stored from both ends.
struct graph {
  std::vector<index_t> offsets;     ///< vertices + 1
  std::vector<index_t> neighbours;  ///< of all vertices, ascending for each
  std::vector<index_t> weights;     ///< of vertices
  index_t vertices() const { return static_cast<index_t>(weights.size()); }
};

bool has_metis();
bool has_scotch();
/// The part of each vertex, from 0 to parts - 1. Throw error(not_available) in a build without, and
/// error(overflow) for graphs beyond the tool's integers.
std::vector<int> metis_parts(const graph& of, int parts);
std::vector<int> scotch_parts(const graph& of, int parts);

/// The numbers as those of a tool; throws error(overflow) where one does not fit.
template <class Number>
std::vector<Number> numbers_of(const std::vector<index_t>& from, const char* tool) {
  std::vector<Number> to(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (from[k] > std::numeric_limits<Number>::max())
      throw fail(error_kind::overflow,
                 "the graph has {} edge ends or more, beyond the {}-bit integers of this {}; build "
                 "with one of 64 bits, or pass a partition",
                 count_text(from[k]), 8 * sizeof(Number), tool);
    to[k] = static_cast<Number>(from[k]);
  }
  return to;
}

}  // namespace gossamer::mpi
