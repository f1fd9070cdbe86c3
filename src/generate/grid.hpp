// Points of a regular grid, numbered line by line: (x, y, z) is (z ny + y) nx + x.
#pragma once

#include <array>

#include "generate/rows.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::generate {

struct grid {
  std::array<index_t, 3> size;
  index_t points() const { return size[0] * size[1] * size[2]; }
  /// The coordinates of a point.
  std::array<index_t, 3> place(index_t point) const {
    return {point % size[0], point / size[0] % size[1], point / size[0] / size[1]};
  }
};

/// The points as a checked number; throws error(overflow) when they do not fit 64 bits.
inline index_t checked_points(const grid& g, std::string_view generator) {
  return times(times(g.size[0], g.size[1], generator), g.size[2], generator);
}

/// The neighbours a point has: offsets low..high along each axis, clipped at the boundary.
struct neighbourhood {
  std::array<int, 3> low, high;
};

inline neighbourhood around(const grid& g, index_t point) {
  neighbourhood n{};
  const auto at = g.place(point);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    n.low[axis] = at[axis] > 0 ? -1 : 0;
    n.high[axis] = at[axis] + 1 < g.size[axis] ? 1 : 0;
  }
  return n;
}

/// visit(x, y, z, distance) for each point of a stencil, itself included, by ascending number:
/// offsets along the axes and the square of their length.
template <class Visit>
void for_each_neighbour(const neighbourhood& n, stencil kind, const Visit& visit) {
  for (int z = n.low[2]; z <= n.high[2]; ++z)
    for (int y = n.low[1]; y <= n.high[1]; ++y)
      for (int x = n.low[0]; x <= n.high[0]; ++x) {
        const int distance = x * x + y * y + z * z;
        if (kind == stencil::finite_element || distance <= 1) visit(x, y, z, distance);
      }
}

}  // namespace gossamer::generate
