// Aggregates: nodes that one node of the coarse level stands for.
#pragma once

#include "gossamer/amg.hpp"

namespace gossamer::amg {

struct aggregation {
  buffer<std::int32_t> of;  ///< the aggregate of each node; -1: it has no strong connection
  index_t count = 0;
};

/// Aggregates around the nodes of a maximal independent set of distance two. The same for any
/// number of threads. `graph` has the diagonal; its pattern is symmetric.
template <real T>
aggregation aggregate(int threads, const csr_view<const T>& graph, std::uint64_t seed);

/// The pattern of a graph.
struct graph_view {
  index_t nodes = 0;
  index_view offsets;
  const std::int32_t* columns = nullptr;
};

/// States of a node while the set is found. Exposed for tests.
enum class mis_state : std::uint8_t { out, in, isolated };
/// A maximal set of nodes that are at least three edges apart; isolated nodes are told apart.
buffer<mis_state> distance_two_set(int threads, const graph_view& graph, std::uint64_t seed);

}  // namespace gossamer::amg
