// Prolongators of aggregation multigrid on regular grids. Boxes of points stand in for the
// aggregates that a solver would find (a maximal independent set of distance two also gives about
// 3 x 3 x 3 points each), so the matrix can be written down row by row.
//
// Smoothed: one step of damped Jacobi, P = (I - 2/3 D^-1 A) P0. A row then has an entry for every
// box that the stencil around its point touches: 2/3 of a point's weight for each neighbour there,
// and what is left for its own box. All nonzeros are positive, so none cancels.
#include "base/refused_memory.hpp"
#include "generate/grid.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::generate {
namespace {

constexpr std::string_view name = "aggregation";

struct boxes {
  grid fine, coarse;
  index_t block;

  index_t of(const std::array<index_t, 3>& at) const {
    return (at[2] / block * coarse.size[1] + at[1] / block) * coarse.size[0] + at[0] / block;
  }
};

boxes make_boxes(const context& where, const grid& fine, index_t block) {
  require_host(where, name);
  require_at_least(0, name, "nx", fine.size[0]);
  require_at_least(0, name, "ny", fine.size[1]);
  require_at_least(0, name, "nz", fine.size[2]);
  require_at_least(1, name, "block", block);
  boxes b{fine, fine, block};
  for (auto& size : b.coarse.size) size = size / block + (size % block != 0);
  return b;
}

/// The centre of a stencil whose neighbours are -1; one layer is 2D.
template <real_scalar T>
T centre_of(stencil kind, index_t layers) {
  if (layers == 1) return kind == stencil::finite_difference ? T{4} : T{8};
  return kind == stencil::finite_difference ? T{6} : T{26};
}

/// How many neighbours of a point lie in each box its stencil touches; boxes in ascending order.
struct touched {
  std::array<index_t, 27> box{};
  std::array<int, 27> neighbours{};
  std::size_t count = 0;

  void add(index_t to, int more) {
    std::size_t at = count;
    while (at > 0 && box[at - 1] > to) --at;
    if (at > 0 && box[at - 1] == to) {
      neighbours[at - 1] += more;
      return;
    }
    for (std::size_t k = count++; k > at; --k) {
      box[k] = box[k - 1];
      neighbours[k] = neighbours[k - 1];
    }
    box[at] = to;
    neighbours[at] = more;
  }
};

touched touch(const boxes& b, stencil kind, index_t point) {
  touched found;
  const auto at = b.fine.place(point);
  for_each_neighbour(around(b.fine, point), kind, [&](int x, int y, int z, int distance) {
    found.add(b.of({at[0] + x, at[1] + y, at[2] + z}), distance == 0 ? 0 : 1);
  });
  return found;
}

/// Number of nonzeros in closed form: each face between boxes adds one nonzero to the points on its
/// two sides (difference), or multiplies their number along the other axes (element).
index_t smoothed_entries(const boxes& b, stencil kind) {
  const index_t points = b.fine.points();
  if (points == 0) return 0;
  index_t cross = points, box = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const index_t sides = 2 * (b.coarse.size[axis] - 1);
    const index_t planes = points / b.fine.size[axis];
    if (kind == stencil::finite_difference)
      cross += sides * planes;
    else
      box = times(box, b.fine.size[axis] + sides, name);
  }
  return kind == stencil::finite_difference ? cross : box;
}

}  // namespace

template <real_scalar T>
csr_matrix<T> aggregation(const context& where, index_t nx, index_t ny, index_t nz,
                          index_t block) try {
  const auto b = make_boxes(where, {{nx, ny, nz}}, block);
  const index_t points = checked_points(b.fine, name);
  return build_rows<T>(
      where, {points, b.coarse.points()}, points, [](index_t) { return index_t{1}; },
      [&](index_t i, auto columns, std::span<T> values, sampling_scratch&) {
        using index = typename decltype(columns)::value_type;
        columns[0] = static_cast<index>(b.of(b.fine.place(i)));
        values[0] = T{1};
      });
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template <real_scalar T>
csr_matrix<T> smoothed_aggregation(const context& where, index_t nx, index_t ny, index_t nz,
                                   stencil kind, index_t block) try {
  const auto b = make_boxes(where, {{nx, ny, nz}}, block);
  // No row is longer than the stencil, so nothing below overflows when this does not.
  const index_t points = checked_points(b.fine, name);
  times(27, points, name);
  const T damping = T{2} / T{3}, share = damping / centre_of<T>(kind, nz);
  return build_rows<T>(
      where, {points, b.coarse.points()}, smoothed_entries(b, kind),
      [&](index_t i) { return static_cast<index_t>(touch(b, kind, i).count); },
      [&](index_t i, auto columns, std::span<T> values, sampling_scratch&) {
        using index = typename decltype(columns)::value_type;
        const auto found = touch(b, kind, i);
        const index_t own = b.of(b.fine.place(i));
        for (std::size_t k = 0; k < found.count; ++k) {
          columns[k] = static_cast<index>(found.box[k]);
          values[k] = share * static_cast<T>(found.neighbours[k]) +
                      (found.box[k] == own ? T{1} - damping : T{0});
        }
      });
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template csr_matrix<float> aggregation(const context&, index_t, index_t, index_t, index_t);
template csr_matrix<double> aggregation(const context&, index_t, index_t, index_t, index_t);
template csr_matrix<float> smoothed_aggregation(const context&, index_t, index_t, index_t, stencil,
                                                index_t);
template csr_matrix<double> smoothed_aggregation(const context&, index_t, index_t, index_t, stencil,
                                                 index_t);

}  // namespace gossamer::generate
