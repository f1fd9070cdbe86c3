// Rows of a mesh are points of a box, numbered line by line. Where nonzeros are tells how long its
// lines and planes are, and rows that are computed together can then be neighbours in all
// directions: they share more rows of B. Pure functions, without CUDA, so that they can be tested
// anywhere.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "gossamer/types.hpp"

namespace gossamer::device {

/// Points of a line, and of a plane; 0: none is known.
struct mesh_box {
  index_t line = 0, plane = 0;
  bool operator==(const mesh_box&) const = default;
};

/// The box behind `rows` sampled rows, each with `each` values of column - row; those without a
/// nonzero are 0. Differences that at least half of the rows have form runs around the distances
/// to the next line, and to the next plane and the lines beside it.
inline mesh_box guess_box(std::span<const std::int32_t> differences, index_t rows, index_t each) {
  constexpr index_t shortest = 16;  // lines that are worth an order
  std::map<index_t, index_t> seen;
  for (index_t r = 0; r < rows; ++r)
    for (index_t k = 0; k < each; ++k)
      if (const index_t d = differences[static_cast<std::size_t>(r * each + k)]; d >= shortest)
        ++seen[d];
  std::vector<index_t> centres;
  for (auto at = seen.begin(); at != seen.end();) {
    if (2 * at->second < rows) {
      ++at;
      continue;
    }
    const index_t first = at->first;
    index_t last = first;
    for (++at; at != seen.end() && at->first == last + 1 && 2 * at->second >= rows; ++at) ++last;
    centres.push_back((first + last) / 2);
  }
  if (centres.empty() || centres.size() > 4) return {};
  const index_t line = centres.front();
  if (centres.size() == 1) return {line, 0};
  const bool beside =
      centres.size() == 4 && centres[2] - centres[1] == line && centres[3] - centres[2] == line;
  if (centres.size() != 2 && !beside) return {};
  const index_t plane = beside ? centres[2] : centres[1];
  return plane % line == 0 && plane > line ? mesh_box{line, plane} : mesh_box{};
}

/// Where a row goes in an order by tiles of about 32 rows: 2 lines of 16 points of a plane, 8 lines
/// of 4 points in each plane of a box. Rows of a tile have the same key.
constexpr index_t tile_key(index_t row, const mesh_box& box) {
  const index_t x = row % box.line;
  if (box.plane == 0) return row / box.line / 2 * ((box.line + 15) / 16) + x / 16;
  const index_t lines = box.plane / box.line, y = row / box.line % lines, z = row / box.plane;
  return (z * ((lines + 7) / 8) + y / 8) * ((box.line + 3) / 4) + x / 4;
}

}  // namespace gossamer::device
