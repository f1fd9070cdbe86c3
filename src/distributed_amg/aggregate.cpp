// Aggregates by a maximal independent set of distance two, over ranks: the rounds of
// amg/aggregate.cpp, with priorities of global rows and an exchange of the halo before each of the
// two looks at neighbours. The set is that of one process.
#include <cmath>
#include <numeric>

#include "amg/priorities.hpp"
#include "distributed_amg/levels.hpp"

namespace gossamer::mpi {
namespace {

using amg::in_set;
using amg::out_of_set;
using amg::priority;

/// One graph, and the vectors that the rounds write to.
template <amg::real T>
class distance_two {
 public:
  distance_two(const distributed_csr<T>& graph, const halo_routes& routes)
      : ranks_(graph.ranks()),
        rows_(graph),
        first_(graph.first_row()),
        own_(ranks_, routes, graph.local_rows()),
        nearby_(ranks_, routes, graph.local_rows()) {}

  /// True for the roots among the rows of this rank; rows without neighbours are none.
  std::vector<char> run(std::uint64_t seed) {
    std::fill(own_.data(), own_.data() + own_.own(), out_of_set - 1);
    index_t undecided = 1;
    for (int round = 0; undecided > 0 && round < amg::most_rounds; ++round) {
      const priority salt = amg::salt_of(seed, round);
      for (index_t v = 0; v < rows_.size(); ++v)
        if (open(v)) own_[v] = amg::draw(salt, first_ + v);
      own_.update();
      look();
      nearby_.update();
      undecided = sum_of(ranks_, decide());
    }
    std::vector<char> roots(static_cast<std::size_t>(rows_.size()), 0);
    for (index_t v = 0; v < rows_.size(); ++v) {
      bool alone = true;
      rows_.for_each(v, [&](index_t w, T) { alone &= w == v; });
      roots[static_cast<std::size_t>(v)] = !alone && own_[v] == in_set ? 1 : 0;
    }
    return roots;
  }

 private:
  bool open(index_t v) const { return own_[v] != in_set && own_[v] != out_of_set; }
  void look() {
    for (index_t w = 0; w < rows_.size(); ++w) {
      priority least = own_[w];
      rows_.for_each(w, [&](index_t v, T) { least = std::min(least, own_[v]); });
      nearby_[w] = least == in_set ? out_of_set : least;
    }
  }
  index_t decide() {
    index_t left = 0;
    for (index_t v = 0; v < rows_.size(); ++v) {
      if (!open(v)) continue;
      bool least = nearby_[v] == own_[v], excluded = nearby_[v] == out_of_set;
      rows_.for_each(v, [&](index_t w, T) {
        least &= nearby_[w] == own_[v];
        excluded |= nearby_[w] == out_of_set;
      });
      if (excluded)
        own_[v] = out_of_set;
      else if (least)
        own_[v] = in_set;
      left += open(v) ? 1 : 0;
    }
    return left;
  }

  communicator ranks_;
  extended_rows<T> rows_;
  index_t first_;
  extended<priority> own_, nearby_;
};

/// Aggregates of roots, in the order of rows over all ranks.
partition number_roots(const communicator& ranks, const std::vector<char>& roots,
                       extended<index_t>& of) {
  std::vector<index_t> counts(static_cast<std::size_t>(ranks.size())),
      offsets(counts.size() + 1, 0);
  gather_all(ranks, std::accumulate(roots.begin(), roots.end(), index_t{0}), counts);
  std::partial_sum(counts.begin(), counts.end(), offsets.begin() + 1);
  index_t next = offsets[static_cast<std::size_t>(ranks.rank())];
  for (std::size_t v = 0; v < roots.size(); ++v)
    of[static_cast<index_t>(v)] = roots[v] != 0 ? next++ : -1;
  return partition(std::move(offsets));
}

/// Rows without an aggregate join the one they are connected to most strongly; returns the number
/// of those that are left though they have neighbours.
template <amg::real T>
index_t join(const extended_rows<T>& rows, const extended<index_t>& before,
             std::vector<index_t>& after) {
  index_t left = 0;
  for (index_t v = 0; v < rows.size(); ++v) {
    index_t best = before[v], neighbours = 0;
    if (best < 0) {
      T strongest = -1;
      rows.for_each(v, [&](index_t w, T value) {
        if (w == v) return;
        ++neighbours;
        const index_t there = before[w];
        const T strength = std::abs(value);
        if (there >= 0 && (strength > strongest || (strength == strongest && there < best))) {
          best = there;
          strongest = strength;
        }
      });
      left += best < 0 && neighbours > 0 ? 1 : 0;
    }
    after[static_cast<std::size_t>(v)] = best;
  }
  return left;
}

}  // namespace

template <amg::real T>
distributed_aggregates aggregate(const distributed_csr<T>& graph, std::uint64_t seed) {
  const auto& ranks = graph.ranks();
  const auto routes = halo_routes::of(ranks, graph.column_partition(), graph.halo());
  std::optional<distance_two<T>> set;
  std::optional<extended<index_t>> of;
  distributed_aggregates made;
  agreed(ranks, [&] {
    set.emplace(graph, routes);
    of.emplace(ranks, routes, graph.local_rows());
    made.of.resize(static_cast<std::size_t>(graph.local_rows()));
  });
  made.owners = number_roots(ranks, set->run(seed), *of);
  const extended_rows<T> rows(graph);
  index_t left = 1;
  for (int pass = 0; pass < 16 && left > 0; ++pass) {
    of->update();
    left = sum_of(ranks, join(rows, *of, made.of));
    std::copy(made.of.begin(), made.of.end(), of->data());
  }
  return made;
}

template distributed_aggregates aggregate(const distributed_csr<float>&, std::uint64_t);
template distributed_aggregates aggregate(const distributed_csr<double>&, std::uint64_t);

}  // namespace gossamer::mpi
