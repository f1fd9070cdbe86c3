#include "analysis/strata.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <unordered_set>

#include "analysis/chunks.hpp"

namespace gossamer::analysis {

namespace {

constexpr int no_class = -1;

/// splitmix64: small, and good enough for sampling rows.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  /// Uniform in [0, bound]; the bias of the remainder is below bound / 2^64.
  index_t up_to(index_t bound) {
    return static_cast<index_t>(next() % (static_cast<std::uint64_t>(bound) + 1));
  }
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

/// n different numbers of [0, population), ascending (Floyd's algorithm).
std::vector<index_t> random_subset(index_t population, index_t n, std::uint64_t seed) {
  random_numbers random(seed);
  std::unordered_set<index_t> chosen;
  for (index_t last = population - n; last < population; ++last)
    if (!chosen.insert(random.up_to(last)).second) chosen.insert(last);
  std::vector<index_t> sorted(chosen.begin(), chosen.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

int row_strata::class_of(index_t products) const {
  if (products > giant_above_) return no_class;
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(products)));
}

row_strata::row_strata(const context& where, std::span<const index_t> products, index_t columns,
                       index_t giant_above)
    : products_(products), giant_above_(giant_above) {
  const blocks rows{static_cast<index_t>(products.size()), block_rows};
  counts_.resize(static_cast<std::size_t>(rows.count()));
  const blocks batches{rows.count(), 64};
  std::mutex guard;
  parallel_chunks(where.threads(), batches.count(), [&](index_t batch) {
    std::array<stratum, classes> mine{};
    std::vector<index_t> giants;
    index_t most = 0;
    for (index_t block = batches.of(batch).begin; block < batches.of(batch).end; ++block) {
      auto& counts = counts_[static_cast<std::size_t>(block)];
      counts.fill(0);
      for (index_t i = rows.of(block).begin; i < rows.of(block).end; ++i) {
        const index_t p = products_[static_cast<std::size_t>(i)];
        most += std::min(p, columns);
        const int k = class_of(p);
        if (k == no_class) {
          giants.push_back(i);
          continue;
        }
        const auto at = static_cast<std::size_t>(k);
        ++counts[at];
        ++mine[at].rows;
        mine[at].products += p;
      }
    }
    const std::lock_guard lock(guard);
    most_entries_ += most;
    giants_.insert(giants_.end(), giants.begin(), giants.end());
    for (std::size_t k = 0; k < mine.size(); ++k) {
      strata_[k].rows += mine[k].rows;
      strata_[k].products += mine[k].products;
    }
  });
  std::sort(giants_.begin(), giants_.end());
}

std::vector<index_t> row_strata::pick(int k, index_t n, std::uint64_t seed) const {
  const auto ranks = random_subset((*this)[k].rows, n,
                                   random_numbers(seed + static_cast<std::uint64_t>(k)).next());
  const blocks rows{static_cast<index_t>(products_.size()), block_rows};
  std::vector<index_t> picked;
  index_t passed = 0;  // rows of the class in the blocks before
  auto rank = ranks.begin();
  for (index_t block = 0; rank != ranks.end(); ++block) {
    const index_t here = counts_[static_cast<std::size_t>(block)][static_cast<std::size_t>(k)];
    if (*rank < passed + here) {
      index_t seen = passed;
      for (index_t i = rows.of(block).begin; i < rows.of(block).end && rank != ranks.end(); ++i) {
        if (class_of(products_[static_cast<std::size_t>(i)]) != k || seen++ != *rank) continue;
        picked.push_back(i);
        ++rank;
      }
    }
    passed += here;
  }
  return picked;
}

}  // namespace gossamer::analysis
