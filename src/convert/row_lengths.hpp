// Row lengths and the longest of them, which determine every padded format.
#pragma once

#include "convert/arrays.hpp"

namespace gossamer {

inline buffer<index_t> row_lengths(const context& where, index_view offsets) {
  buffer<index_t> lengths(offsets.size() - 1, where.memory());
  parallel_ranges(where.threads(), lengths.size(), conversion_grain,
                  [&](index_t begin, index_t end) {
                    for (index_t i = begin; i < end; ++i) lengths[i] = offsets[i + 1] - offsets[i];
                  });
  return lengths;
}

inline index_t longest_row(const context& where, index_view offsets) {
  const index_t rows = offsets.size() - 1;
  const index_t parts = std::clamp<index_t>(rows / conversion_grain, 1, where.threads());
  std::vector<index_t> longest(static_cast<std::size_t>(parts), 0);
  parallel_chunks(where.threads(), parts, [&](index_t part) {
    index_t found = 0;
    const auto [begin, end] = part_of(rows, part, parts);
    for (index_t i = begin; i < end; ++i) found = std::max(found, offsets[i + 1] - offsets[i]);
    longest[part] = found;
  });
  return *std::max_element(longest.begin(), longest.end());
}

constexpr index_t round_up(index_t count, index_t factor) {
  return (count + factor - 1) / factor * factor;
}

}  // namespace gossamer
