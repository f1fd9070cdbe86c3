#include "kernels/spgemm/adaptive/row_pattern.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace gossamer {

index_t row_pattern::bytes() const {
  return static_cast<index_t>(sizeof(row_pattern) + numbers.size() * sizeof numbers[0] +
                              columns.size() * sizeof columns[0] +
                              places.size() * sizeof places[0] + steps.size() * sizeof steps[0] +
                              ends.size() * sizeof ends[0]);
}

namespace {

using row_columns = std::span<const std::vector<std::int64_t>>;

std::vector<std::int64_t> all_columns(row_columns rows) {
  std::vector<std::int64_t> all, before;
  for (const auto& row : rows) {
    before.swap(all);
    all.clear();
    std::ranges::set_union(before, row, std::back_inserter(all));
  }
  return all;
}

std::vector<std::uint16_t> all_places(row_columns rows, std::span<const std::int64_t> columns) {
  std::vector<std::uint16_t> all;
  for (const auto& row : rows) {
    std::size_t place = 0;
    for (const auto column : row) {
      while (columns[place] != column) ++place;
      all.push_back(static_cast<std::uint16_t>(place));
    }
  }
  return all;
}

/// The steps of each vector.
std::vector<std::vector<pattern_step>> all_steps(row_columns rows,
                                                 std::span<const std::uint16_t> places,
                                                 std::size_t vectors, std::size_t lanes) {
  std::vector<std::vector<pattern_step>> all(vectors);
  std::size_t product = 0;
  for (std::size_t entry = 0; entry < rows.size(); ++entry) {
    std::size_t vector = vectors;  // none yet
    for (std::size_t k = 0; k < rows[entry].size(); ++k) {
      const std::size_t place = places[product++];
      if (place / lanes != vector) {
        vector = place / lanes;
        all[vector].push_back(
            {.entry = static_cast<std::uint16_t>(entry), .first = static_cast<std::uint16_t>(k)});
      }
      auto& step = all[vector].back();
      step.to = static_cast<std::uint16_t>(step.to | 1U << place % lanes);
    }
  }
  return all;
}

}  // namespace

std::unique_ptr<row_pattern> make_pattern(row_columns rows, int lanes) {
  constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
  constexpr std::int64_t farthest = std::numeric_limits<std::int32_t>::max();
  const auto columns = all_columns(rows);
  const std::int64_t base = columns.empty() ? 0 : rows[0].front();
  if (rows.size() > most || columns.size() > most) return nullptr;
  if (!columns.empty() && (base - columns.front() > farthest || columns.back() - base > farthest))
    return nullptr;

  auto pattern = std::make_unique<row_pattern>();
  for (const auto column : columns)
    pattern->columns.push_back(static_cast<std::int32_t>(column - base));
  pattern->places = all_places(rows, columns);
  if (lanes == 1) return pattern;
  const auto width = static_cast<std::size_t>(lanes);
  const auto steps = all_steps(rows, pattern->places, (columns.size() + width - 1) / width, width);
  std::size_t count = 0;
  for (const auto& one : steps) count += one.size();
  if (pattern->places.size() < 2 * count) return pattern;  // adding one at a time is as fast
  pattern->places.clear();
  for (const auto& one : steps) {
    pattern->steps.insert(pattern->steps.end(), one.begin(), one.end());
    pattern->ends.push_back(static_cast<std::uint32_t>(pattern->steps.size()));
  }
  return pattern;
}

}  // namespace gossamer
