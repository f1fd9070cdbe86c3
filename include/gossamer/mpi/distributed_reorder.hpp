// Renumbering of distributed matrices, so that few elements travel in products: rows that refer to
// each other come to the same rank. Graphs are partitioned by METIS or Scotch, where the library
// was built with one of them.
#pragma once

#include <vector>

#include "gossamer/mpi/distributed_matrix.hpp"

namespace gossamer::mpi {

/// What partitions the graph of a matrix.
enum class graph_tool : std::uint8_t {
  any,  ///< METIS where it is there, else Scotch
  metis,
  scotch
};
/// Name of the tool: "any", "metis", "scotch".
std::string_view name(graph_tool);
/// The tools that this build has, best first.
std::vector<graph_tool> graph_tools();

/// A renumbered matrix: row i of this rank was row original[i], and columns are renumbered alike.
template <real_scalar T>
struct reordered {
  distributed_csr<T> matrix;
  std::vector<index_t> original;
};

/// P A P' with rows grouped by the parts of a graph partitioner, one part a rank: few connections
/// between ranks, rows weighted by their nonzeros. Within a rank rows keep their order. Rank 0
/// partitions the whole graph, that of A + A', and so holds the structure of all of A for a while;
/// every rank holds one number for each row of A. Throws error(not_available) without the tool, and
/// error(bad_argument) for a matrix that is not square.
template <real_scalar T>
reordered<T> reorder(const context& where, const distributed_csr<T>& a,
                     graph_tool tool = graph_tool::any);

/// P A P' for parts that are given: parts[i] is the rank that local row i goes to.
template <real_scalar T>
reordered<T> regroup(const context& where, const distributed_csr<T>& a, std::span<const int> parts);

}  // namespace gossamer::mpi
