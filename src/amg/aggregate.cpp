// Aggregation by a maximal independent set of distance two (Bell, Dalton and Olson 2012). The set
// is found as Kelley and Rajamanickam (2022) do: each round draws new random priorities, works on
// nodes that are still undecided only, and looks at neighbours twice instead of at neighbours of
// neighbours once. Priorities depend on seed, round and node alone, so that threads change nothing.
#include "amg/aggregate.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "amg/priorities.hpp"
#include "amg/rows.hpp"

namespace gossamer::amg {

namespace {

/// Nodes still to be worked on; all of them before the first round, without a list.
class worklist {
 public:
  explicit worklist(index_t nodes) : count_(nodes) {}
  index_t count() const { return count_; }
  template <class F>
  void for_each(int threads, F&& f) const {
    parallel_ranges(threads, count_, row_grain, [&](index_t begin, index_t end) {
      if (listed_)
        for (index_t k = begin; k < end; ++k) f(nodes_[static_cast<std::size_t>(k)]);
      else
        for (index_t k = begin; k < end; ++k) f(static_cast<std::int32_t>(k));
    });
  }
  /// Keeps the nodes for which keep(node) holds.
  template <class F>
  void reduce(int threads, F&& keep) {
    const index_t parts = std::max<index_t>(1, std::min<index_t>(threads, count_ / row_grain));
    std::vector<std::vector<std::int32_t>> kept(static_cast<std::size_t>(parts));
    parallel_chunks(threads, parts, [&](index_t part) {
      auto& mine = kept[static_cast<std::size_t>(part)];
      const auto [begin, end] = part_of(count_, part, parts);
      for (index_t k = begin; k < end; ++k) {
        const auto node =
            listed_ ? nodes_[static_cast<std::size_t>(k)] : static_cast<std::int32_t>(k);
        if (keep(node)) mine.push_back(node);
      }
    });
    nodes_ = std::move(kept.front());
    for (std::size_t part = 1; part < kept.size(); ++part)
      nodes_.insert(nodes_.end(), kept[part].begin(), kept[part].end());
    count_ = static_cast<index_t>(nodes_.size());
    listed_ = true;
  }

 private:
  std::vector<std::int32_t> nodes_;
  index_t count_ = 0;
  bool listed_ = false;
};

}  // namespace

buffer<mis_state> distance_two_set(int threads, const graph_view& g, std::uint64_t seed) {
  buffer<priority> own(g.nodes), nearby(g.nodes);
  worklist undecided(g.nodes), watched(g.nodes);
  for (int round = 0; undecided.count() > 0 && round < most_rounds; ++round) {
    const priority salt = salt_of(seed, round);
    undecided.for_each(threads, [&](std::int32_t v) { own[v] = draw(salt, v); });
    watched.for_each(threads, [&](std::int32_t w) {
      priority least = own[w];
      for (index_t p = g.offsets[w], end = g.offsets[w + 1]; p < end; ++p)
        least = std::min(least, own[g.columns[p]]);
      nearby[w] = least == in_set ? out_of_set : least;
    });
    undecided.for_each(threads, [&](std::int32_t v) {
      bool least = nearby[v] == own[v], excluded = nearby[v] == out_of_set;
      for (index_t p = g.offsets[v], end = g.offsets[v + 1]; p < end; ++p) {
        const priority there = nearby[g.columns[p]];
        least &= there == own[v];
        excluded |= there == out_of_set;
      }
      if (excluded)
        own[v] = out_of_set;
      else if (least)
        own[v] = in_set;
    });
    undecided.reduce(threads,
                     [&](std::int32_t v) { return own[v] != in_set && own[v] != out_of_set; });
    watched.reduce(threads, [&](std::int32_t w) { return nearby[w] != out_of_set; });
  }
  buffer<mis_state> state(g.nodes);
  parallel_ranges(threads, g.nodes, row_grain, [&](index_t begin, index_t end) {
    for (index_t v = begin; v < end; ++v) {
      const index_t first = g.offsets[v], last = g.offsets[v + 1];
      const bool alone = last == first || (last - first == 1 && g.columns[first] == v);
      state[v] = alone ? mis_state::isolated : (own[v] == in_set ? mis_state::in : mis_state::out);
    }
  });
  return state;
}

namespace {

/// Numbers the roots in their order; all other nodes get -1.
aggregation number_roots(const buffer<mis_state>& state) {
  aggregation made{buffer<std::int32_t>(state.size())};
  for (index_t v = 0; v < state.size(); ++v)
    made.of[v] =
        state[v] == mis_state::in ? static_cast<std::int32_t>(made.count++) : std::int32_t{-1};
  return made;
}

/// Nodes without an aggregate join the one that they are connected to most strongly. Returns the
/// number of nodes that have none yet, though they have neighbours.
template <real T>
index_t join(int threads, const row_reader<T>& a, const buffer<std::int32_t>& before,
             buffer<std::int32_t>& after) {
  std::atomic<index_t> left{0};
  parallel_ranges(threads, a.rows, row_grain, [&](index_t begin, index_t end) {
    index_t mine = 0;
    for (index_t v = begin; v < end; ++v) {
      std::int32_t best = before[v];
      if (best < 0) {
        T strongest = -1;
        index_t neighbours = 0;
        for (index_t p = a.begin(v), last = a.end(v); p < last; ++p) {
          if (a.columns[p] == v) continue;
          ++neighbours;
          const std::int32_t there = before[a.columns[p]];
          const T strength = std::abs(a.values[p]);
          if (there >= 0 && (strength > strongest || (strength == strongest && there < best))) {
            best = there;
            strongest = strength;
          }
        }
        mine += best < 0 && neighbours > 0;
      }
      after[v] = best;
    }
    left += mine;
  });
  return left.load();
}

}  // namespace

template <real T>
aggregation aggregate(int threads, const csr_view<const T>& graph, std::uint64_t seed) {
  const row_reader<T> a(graph);
  auto made = number_roots(distance_two_set(threads, {a.rows, a.offsets, a.columns}, seed));
  buffer<std::int32_t> next(a.rows);
  // Neighbours of a root, then their neighbours: in a symmetric graph nothing is left after that.
  index_t left = a.rows;
  for (int pass = 0; pass < 16 && left > 0; ++pass) {
    left = join(threads, a, made.of, next);
    made.of.swap(next);
  }
  return made;
}

template aggregation aggregate<float>(int, const csr_view<const float>&, std::uint64_t);
template aggregation aggregate<double>(int, const csr_view<const double>&, std::uint64_t);

}  // namespace gossamer::amg
