// Statistics and histograms of counts. Sums are exact integers, so the order of adding does not
// matter and neither does the number of threads.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>

#include "analysis/chunks.hpp"
#include "analysis/counts.hpp"
#include "base/refused_memory.hpp"
#include "base/text.hpp"
#include "gossamer/analysis.hpp"

namespace gossamer {

namespace {

using analysis::blocks;

__extension__ typedef unsigned __int128 wide;

constexpr index_t block_size = 1 << 15;

struct sums {
  index_t min = std::numeric_limits<index_t>::max(), max = std::numeric_limits<index_t>::min();
  index_t zeros = 0;
  wide total = 0, squares = 0;

  void add(index_t x) {
    min = std::min(min, x);
    max = std::max(max, x);
    zeros += x == 0;
    const auto magnitude = static_cast<wide>(static_cast<std::uint64_t>(x));
    total += magnitude;
    squares += magnitude * magnitude;
  }
  void merge(const sums& other) {
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    zeros += other.zeros;
    total += other.total;
    squares += other.squares;
  }
};

sums sums_of(const context& where, std::span<const index_t> counts) {
  const blocks parts{static_cast<index_t>(counts.size()), block_size};
  sums all;
  std::mutex guard;
  parallel_chunks(where.threads(), parts.count(), [&](index_t block) {
    const auto [begin, end] = parts.of(block);
    sums mine;
    for (index_t i = begin; i < end; ++i) mine.add(counts[static_cast<std::size_t>(i)]);
    const std::lock_guard lock(guard);
    all.merge(mine);
  });
  if (all.min < 0)
    throw fail(error_kind::bad_argument, "one of {} counts is {}; counts must not be negative",
               counts.size(), all.min);
  if (all.total > static_cast<wide>(std::numeric_limits<index_t>::max()))
    throw fail(error_kind::overflow,
               "{} counts, the largest {}, add up to more than {}, the largest 64-bit number",
               count_text(static_cast<index_t>(counts.size())), count_text(all.max),
               count_text(std::numeric_limits<index_t>::max()));
  return all;
}

/// The counts in ascending order, without sorting most of them: how often each small value occurs,
/// and the few large ones sorted.
class ordered_counts {
 public:
  ordered_counts(const context& where, std::span<const index_t> counts, index_t largest)
      : below_(static_cast<std::size_t>(std::min(largest, table_limit - 1)) + 1, 0) {
    const blocks parts{static_cast<index_t>(counts.size()), block_size * 8};
    std::mutex guard;
    parallel_chunks(where.threads(), parts.count(), [&](index_t block) {
      const auto [begin, end] = parts.of(block);
      std::vector<index_t> table(below_.size(), 0), tail;
      for (index_t i = begin; i < end; ++i) {
        const index_t x = counts[static_cast<std::size_t>(i)];
        if (x < table_limit)
          ++table[static_cast<std::size_t>(x)];
        else
          tail.push_back(x);
      }
      const std::lock_guard lock(guard);
      for (std::size_t x = 0; x < table.size(); ++x) below_[x] += table[x];
      large_.insert(large_.end(), tail.begin(), tail.end());
    });
    std::sort(large_.begin(), large_.end());
    for (std::size_t x = 1; x < below_.size(); ++x) below_[x] += below_[x - 1];
  }

  /// The value at position `rank` (from 0) of the ascending order.
  index_t at(index_t rank) const {
    if (rank < below_.back())
      return std::upper_bound(below_.begin(), below_.end(), rank) - below_.begin();
    return large_[static_cast<std::size_t>(rank - below_.back())];
  }

 private:
  static constexpr index_t table_limit = 1 << 16;
  std::vector<index_t> below_;  // counts <= x
  std::vector<index_t> large_;
};

}  // namespace

count_statistics analysis::statistics_with_zeros(const context& where,
                                                 std::span<const index_t> counts, index_t zeros) {
  count_statistics s;
  s.count = static_cast<index_t>(counts.size()) + zeros;
  if (s.count == 0) return s;
  sums all = sums_of(where, counts);
  if (zeros > 0) {
    all.min = 0;
    all.max = std::max<index_t>(all.max, 0);
    all.zeros += zeros;
  }
  s.total = static_cast<index_t>(all.total);
  s.min = all.min;
  s.max = all.max;
  s.zeros = all.zeros;
  const auto n = static_cast<long double>(s.count);
  const long double mean = static_cast<long double>(s.total) / n;
  const long double variance = static_cast<long double>(all.squares) / n - mean * mean;
  s.mean = static_cast<double>(mean);
  s.deviation = s.min == s.max ? 0 : static_cast<double>(std::sqrt(std::max(0.0L, variance)));
  s.imbalance = s.total == 0 ? 0 : static_cast<double>(s.max) / s.mean;
  const ordered_counts ordered(where, counts, s.max);
  for (std::size_t q = 0; q < quantile_points.size(); ++q) {
    // In whole percent: 0.95 * 20 must be 19, not a little more. In two parts: no overflow.
    const auto percent = static_cast<index_t>(std::lround(quantile_points[q] * 100));
    const index_t reached = s.count / 100 * percent + (s.count % 100 * percent + 99) / 100;
    const index_t rank = std::max<index_t>(reached, 1) - 1;
    s.quantiles[q] = rank < zeros ? 0 : ordered.at(rank - zeros);
  }
  return s;
}

count_statistics statistics(const context& where, std::span<const index_t> counts) try {
  return analysis::statistics_with_zeros(where, counts, 0);
} catch (const std::bad_alloc&) {
  refuse_memory("statistics");
}

count_histogram histogram(const context& where, std::span<const index_t> counts) try {
  std::array<index_t, 64> bins{};
  const blocks parts{static_cast<index_t>(counts.size()), block_size};
  std::mutex guard;
  parallel_chunks(where.threads(), parts.count(), [&](index_t block) {
    const auto [begin, end] = parts.of(block);
    std::array<index_t, 64> mine{};
    for (index_t i = begin; i < end; ++i) {
      const index_t x = counts[static_cast<std::size_t>(i)];
      if (x < 0)
        throw fail(error_kind::bad_argument, "count {} is {}; counts must not be negative", i, x);
      ++mine[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(x)))];
    }
    const std::lock_guard lock(guard);
    for (std::size_t k = 0; k < bins.size(); ++k) bins[k] += mine[k];
  });
  std::size_t used = bins.size();
  while (used > 0 && bins[used - 1] == 0) --used;
  return {{bins.begin(), bins.begin() + static_cast<std::ptrdiff_t>(used)}};
} catch (const std::bad_alloc&) {
  refuse_memory("statistics");
}

count_statistics statistics(std::span<const index_t> counts) try {
  return statistics(context::reference(), counts);
} catch (const std::bad_alloc&) {
  refuse_memory("statistics");
}

count_histogram histogram(std::span<const index_t> counts) try {
  return histogram(context::reference(), counts);
} catch (const std::bad_alloc&) {
  refuse_memory("statistics");
}

}  // namespace gossamer
