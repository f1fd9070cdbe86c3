// Partitions of rows.
#include <algorithm>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "gossamer/distributed.hpp"

namespace gossamer::mpi {
namespace {

void require_ranks(int ranks) {
  if (ranks < 1)
    throw fail(error_kind::bad_argument,
               "a partition over {} ranks was asked for; expected 1 or more", ranks);
}

}  // namespace

partition::partition(std::vector<index_t> offsets) {
  if (offsets.size() < 2 || offsets.front() != 0)
    throw fail(error_kind::bad_argument,
               "a partition has {} offsets, the first {}; expected one more than ranks, from 0",
               offsets.size(), offsets.empty() ? 0 : offsets.front());
  const auto fall = std::adjacent_find(offsets.begin(), offsets.end(), std::greater<>());
  if (fall != offsets.end())
    throw fail(error_kind::bad_argument,
               "offset {} of a partition is {} and the next one {}; expected them to ascend",
               fall - offsets.begin(), count_text(*fall), count_text(*(fall + 1)));
  offsets_ = std::make_shared<const std::vector<index_t>>(std::move(offsets));
}

partition partition::by_count(index_t rows, int ranks) {
  require_ranks(ranks);
  if (rows < 0)
    throw fail(error_kind::bad_argument, "a partition of {} rows was asked for; expected 0 or more",
               rows);
  std::vector<index_t> offsets(static_cast<std::size_t>(ranks) + 1);
  for (int r = 0; r < ranks; ++r)
    offsets[static_cast<std::size_t>(r)] = part_of(rows, r, ranks).begin;
  offsets.back() = rows;
  return partition(std::move(offsets));
}

partition partition::by_weight(std::span<const index_t> weights, int ranks) {
  require_ranks(ranks);
  std::vector<index_t> before(weights.size() + 1, 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] < 0)
      throw fail(error_kind::bad_argument, "row {} weighs {}; expected 0 or more", i, weights[i]);
    before[i + 1] = before[i] + weights[i];
  }
  const auto rows = static_cast<index_t>(weights.size());
  if (before.back() == 0) return by_count(rows, ranks);
  std::vector<index_t> offsets(static_cast<std::size_t>(ranks) + 1, rows);
  for (int r = 0; r < ranks; ++r)
    offsets[static_cast<std::size_t>(r)] = part_of_work(rows, r, ranks, [&](index_t i) {
                                             return before[static_cast<std::size_t>(i)];
                                           }).begin;
  return partition(std::move(offsets));
}

int partition::owner(index_t row) const noexcept {
  const auto after = std::upper_bound(offsets_->begin(), offsets_->end(), row);
  return static_cast<int>(after - offsets_->begin()) - 1;
}

}  // namespace gossamer::mpi
