// Counts become offsets.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"

namespace gossamer {

/// Replaces each of counts[0 .. n) by the sum of those before it, and counts[n], the last, by the
/// total.
inline void prefix_sums(int threads, std::span<index_t> counts) {
  const auto n = static_cast<index_t>(counts.size()) - 1;
  // Below it a second thread costs more than it saves; not measured by itself.
  constexpr index_t grain = 2048;
  const index_t parts = std::clamp<index_t>(n / grain, 1, threads);
  std::vector<index_t> first(static_cast<std::size_t>(parts) + 1, 0);
  parallel_chunks(threads, parts, [&](index_t part) {
    const auto [begin, end] = part_of(n, part, parts);
    index_t sum = 0;
    for (index_t i = begin; i < end; ++i) sum += counts[i];
    first[part + 1] = sum;
  });
  for (index_t part = 0; part < parts; ++part) first[part + 1] += first[part];
  parallel_chunks(threads, parts, [&](index_t part) {
    const auto [begin, end] = part_of(n, part, parts);
    index_t sum = first[part];
    for (index_t i = begin; i < end; ++i) sum += std::exchange(counts[i], sum);
  });
  counts[n] = first[parts];
}

}  // namespace gossamer
