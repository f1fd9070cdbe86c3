// Distinct columns for a row, sorted, every subset equally likely.
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <vector>

#include "generate/random.hpp"

namespace gossamer::generate {

/// Reused from row to row, so that rows need no allocation: here, one bit per column of a dense
/// row.
using sampling_scratch = std::vector<std::uint64_t>;

/// Fills `chosen` with distinct numbers in ascending order: draw(k) is draw number k; repeated
/// numbers are drawn again. The draws must not repeat a few numbers forever.
template <stored_index I, class Draw>
void sample_by(const Draw& draw, std::span<I> chosen) {
  std::uint64_t drawn = 0;
  for (auto missing = chosen.begin(); missing != chosen.end();) {
    for (auto place = missing; place != chosen.end(); ++place)
      *place = static_cast<I>(draw(drawn++));
    std::sort(missing, chosen.end());
    if (missing != chosen.begin()) std::inplace_merge(chosen.begin(), missing, chosen.end());
    missing = std::unique(chosen.begin(), chosen.end());
  }
}

namespace detail {

/// For a large share of all numbers: marks the chosen ones (or the others, if those are fewer) in a
/// bitmap.
template <stored_index I>
void sample_dense(const random_stream& draws, index_t n, std::span<I> chosen,
                  sampling_scratch& bitmap) {
  const auto count = static_cast<index_t>(chosen.size());
  const bool mark_left_out = count > n / 2;
  bitmap.assign(static_cast<std::size_t>((n + 63) / 64), 0);
  std::uint64_t drawn = 0;
  for (index_t missing = mark_left_out ? n - count : count; missing > 0;) {
    const auto column = static_cast<std::uint64_t>(draws.below(drawn++, n));
    auto& word = bitmap[column / 64];
    const std::uint64_t bit = std::uint64_t{1} << (column % 64);
    missing -= (word & bit) == 0;
    word |= bit;
  }
  index_t next = 0;
  for (std::size_t w = 0; w < bitmap.size(); ++w) {
    auto word = mark_left_out ? ~bitmap[w] : bitmap[w];
    for (; word != 0 && next < count; word &= word - 1)
      chosen[static_cast<std::size_t>(next++)] =
          static_cast<I>(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }
}

}  // namespace detail

/// Fills `chosen` with that many distinct numbers of [0, n) in ascending order; chosen.size() <= n.
template <stored_index I>
void sample_sorted(const random_stream& draws, index_t n, std::span<I> chosen,
                   sampling_scratch& scratch) {
  const auto count = static_cast<index_t>(chosen.size());
  if (count == n)
    std::iota(chosen.begin(), chosen.end(), I{0});
  else if (count > n / 16)
    detail::sample_dense(draws, n, chosen, scratch);
  else
    sample_by([&](std::uint64_t k) { return draws.below(k, n); }, chosen);
}

}  // namespace gossamer::generate
