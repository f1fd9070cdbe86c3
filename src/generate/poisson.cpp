// Poisson's equation on regular grids. Every stencil is a box or a cross around a point with one
// value at the centre and -1 elsewhere, so 2D is 3D with a single layer and another centre.
//
// Finite elements: 8 and -1 is three times the stiffness of bilinear squares. Exactly integrated
// trilinear cubes couple no face neighbours (six explicit zeros a row); with the stiffness
// integrated 2/9 by the vertex rule, 1/3 exactly and 4/9 by the midpoint rule, all 26 neighbours
// weigh the same: 26 and -1 is nine times that matrix.
#include "base/refused_memory.hpp"
#include "generate/grid.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::generate {
namespace {

index_t count(const neighbourhood& n, stencil kind) {
  index_t cross = 1, box = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    cross += n.high[axis] - n.low[axis];
    box *= 1 + n.high[axis] - n.low[axis];
  }
  return kind == stencil::finite_difference ? cross : box;
}

/// Number of nonzeros in closed form.
index_t count(const grid& g, stencil kind, std::string_view generator) {
  for (const auto size : g.size)
    if (size == 0) return 0;
  index_t box = 1;
  for (const auto size : g.size) box = times(box, times(3, size, generator) - 2, generator);
  if (kind == stencil::finite_element) return box;
  index_t cross = times(7, g.points(), generator);
  for (const auto size : g.size) cross -= 2 * (g.points() / size);
  return cross;
}

template <real_scalar T>
csr_matrix<T> laplacian(const context& where, const grid& g, stencil kind, T centre,
                        row_share which, std::string_view generator) {
  require_host(where, generator);
  const index_t points = checked_points(g, generator);
  const index_t nnz = count(g, kind, generator);
  return build_share<T>(
      where, {points, points}, nnz, which, [&](index_t i) { return count(around(g, i), kind); },
      [&](index_t i, auto columns, std::span<T> values, sampling_scratch&) {
        using index = typename decltype(columns)::value_type;
        std::size_t next = 0;
        for_each_neighbour(around(g, i), kind, [&](int x, int y, int z, int distance) {
          columns[next] = static_cast<index>(i + (z * g.size[1] + y) * g.size[0] + x);
          values[next++] = distance == 0 ? centre : T{-1};
        });
      });
}

}  // namespace

template <real_scalar T>
csr_matrix<T> poisson2d(const context& where, index_t nx, index_t ny, stencil kind,
                        row_share which) try {
  require_at_least(0, "poisson2d", "nx", nx);
  require_at_least(0, "poisson2d", "ny", ny);
  return laplacian<T>(where, {{nx, ny, 1}}, kind, kind == stencil::finite_difference ? T{4} : T{8},
                      which, "poisson2d");
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template <real_scalar T>
csr_matrix<T> poisson3d(const context& where, index_t nx, index_t ny, index_t nz, stencil kind,
                        row_share which) try {
  require_at_least(0, "poisson3d", "nx", nx);
  require_at_least(0, "poisson3d", "ny", ny);
  require_at_least(0, "poisson3d", "nz", nz);
  return laplacian<T>(where, {{nx, ny, nz}}, kind,
                      kind == stencil::finite_difference ? T{6} : T{26}, which, "poisson3d");
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template csr_matrix<float> poisson2d(const context&, index_t, index_t, stencil, row_share);
template csr_matrix<double> poisson2d(const context&, index_t, index_t, stencil, row_share);
template csr_matrix<float> poisson3d(const context&, index_t, index_t, index_t, stencil, row_share);
template csr_matrix<double> poisson3d(const context&, index_t, index_t, index_t, stencil,
                                      row_share);

}  // namespace gossamer::generate
