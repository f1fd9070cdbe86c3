// The graph of a matrix is partitioned on one rank; all ranks then renumber.
#include <algorithm>

#include "distributed/calls.hpp"
#include "distributed/exchange.hpp"
#include "distributed/graph/tools.hpp"
#include "gossamer/convert.hpp"

namespace gossamer::mpi {
namespace {

/// The graph of A + A' without its diagonal. Rows weigh as much as they have nonzeros.
template <real_scalar T>
graph graph_of(const context& where, const csr_matrix<T>& a) {
  const auto turned = gossamer::transpose<T>(where, a.view());
  const auto rows = a.view(), columns = turned.view();
  graph result;
  result.offsets.push_back(0);
  for (index_t i = 0; i < rows.shape.rows; ++i) {
    index_t k = rows.offsets[i], m = columns.offsets[i];
    const index_t k_end = rows.offsets[i + 1], m_end = columns.offsets[i + 1];
    result.weights.push_back(std::max<index_t>(k_end - k, 1));
    while (k < k_end || m < m_end) {
      const index_t here = k < k_end ? rows.columns[k] : rows.shape.cols;
      const index_t there = m < m_end ? columns.columns[m] : rows.shape.cols;
      const index_t next = std::min(here, there);
      k += here == next ? 1 : 0;
      m += there == next ? 1 : 0;
      if (next != i) result.neighbours.push_back(next);
    }
    result.offsets.push_back(static_cast<index_t>(result.neighbours.size()));
  }
  return result;
}

std::vector<int> parts_by(graph_tool tool, const graph& of, int parts) {
  const bool metis = tool == graph_tool::metis || (tool == graph_tool::any && has_metis());
  if (metis || has_scotch()) return metis ? metis_parts(of, parts) : scotch_parts(of, parts);
  return tool == graph_tool::scotch ? scotch_parts(of, parts) : metis_parts(of, parts);  // throws
}

}  // namespace

std::string_view name(graph_tool tool) {
  return tool == graph_tool::any ? "any" : tool == graph_tool::metis ? "metis" : "scotch";
}

std::vector<graph_tool> graph_tools() {
  std::vector<graph_tool> here;
  if (has_metis()) here.push_back(graph_tool::metis);
  if (has_scotch()) here.push_back(graph_tool::scotch);
  return here;
}

template <real_scalar T>
reordered<T> reorder(const context& where, const distributed_csr<T>& a, graph_tool tool) {
  const auto& ranks = a.ranks();
  const auto whole = gather(where, a);
  std::vector<int> parts;
  std::vector<index_t> counts;
  agreed(ranks, [&] {
    counts.assign(static_cast<std::size_t>(ranks.size()), 0);
    if (ranks.rank() != 0 || a.shape().rows != a.shape().cols) return;  // refused below
    parts = parts_by(tool, graph_of(where, whole), ranks.size());
    for (int r = 0; r < ranks.size(); ++r)
      counts[static_cast<std::size_t>(r)] = a.row_partition().count(r);
  });
  exchange of_parts(ranks, counts);
  auto mine = agreed(
      ranks, [&] { return std::vector<int>(static_cast<std::size_t>(of_parts.received())); });
  of_parts.run(parts.data(), mine.data());
  return regroup(where, a, mine);
}

template reordered<float> reorder(const context&, const distributed_csr<float>&, graph_tool);
template reordered<double> reorder(const context&, const distributed_csr<double>&, graph_tool);

}  // namespace gossamer::mpi
