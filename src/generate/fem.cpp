// Stiffness matrices of linear (P1) elements: a_ij is the integral of grad(phi_i) . grad(phi_j).
// Boundary nodes are eliminated (Dirichlet), so the matrix is symmetric positive definite. Each row
// is assembled independently from the simplices around its node, in one order for both ends of an
// edge: a_ij and a_ji are bitwise equal.
#include <array>
#include <bit>
#include <cmath>

#include "base/insertion_sort.hpp"
#include "base/refused_memory.hpp"
#include "generate/mesh.hpp"
#include "generate/rows.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::generate {
namespace {

template <int D>
constexpr int boxes = D == 2 ? 9 : 27;  // a node's neighbours are among the 3^D around it
template <int D>
constexpr double factorial = D == 2 ? 2 : 6;

/// The position of `corner` in the 3^D box around corner `own`.
template <int D>
std::size_t box_place(int own, int corner) {
  std::size_t at = 0;
  for (int d = D - 1; d >= 0; --d)
    at = 3 * at + static_cast<std::size_t>(1 + ((corner >> d) & 1) - ((own >> d) & 1));
  return at;
}

/// A row before it is sorted: unknowns (-1 where there is none) and values by position in the box.
template <int D>
struct assembled_row {
  std::array<index_t, boxes<D>> unknown;
  std::array<double, boxes<D>> value{};
};

template <int D>
assembled_row<D> assemble(const mesh<D>& m, index_t node) {
  assembled_row<D> row;
  row.unknown.fill(-1);
  m.for_each_simplex_around(node, [&](int own, const simplex<D>& s) {
    std::array<point<D>, D + 1> vertices;
    std::size_t self = 0;
    for (std::size_t a = 0; a <= D; ++a) {
      vertices[a] = m.position(m.corner_node(node, own, s[a]));
      if (s[a] == own) self = a;
    }
    const auto shape = shape_of<D>(vertices);
    const double scale = 1 / (factorial<D> * std::abs(shape.det));
    for (std::size_t a = 0; a <= D; ++a) {
      const auto at = box_place<D>(own, s[a]);
      double dot = 0;
      for (std::size_t d = 0; d < D; ++d) dot += shape.normals[self][d] * shape.normals[a][d];
      row.unknown[at] = m.unknown_of(m.corner_node(node, own, s[a]));
      row.value[at] += dot * scale;
    }
  });
  return row;
}

/// Nonzeros of a row: the positions around the node that are connected to it, without the boundary.
template <int D>
index_t count_neighbours(const mesh<D>& m, index_t node) {
  unsigned joined = 0;
  m.for_each_simplex_around(node, [&](int own, const simplex<D>& s) {
    for (const int corner : s)
      if (m.unknown_of(m.corner_node(node, own, corner)) >= 0)
        joined |= 1U << box_place<D>(own, corner);
  });
  return std::popcount(joined);
}

template <real_scalar T, int D>
csr_matrix<T> stiffness(const context& where, const mesh<D>& m) {
  const index_t n = m.unknowns();
  buffer<index_t> lengths(n, where.memory());
  parallel_ranges(where.threads(), n, 256, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) lengths[i] = count_neighbours(m, m.node_of(i));
  });
  const auto length = [&](index_t i) { return lengths[i]; };
  return build_rows<T>(where, {n, n}, total_length(where, n, length), length,
                       [&](index_t i, auto columns, std::span<T> values, sampling_scratch&) {
                         using index = typename decltype(columns)::value_type;
                         const auto row = assemble(m, m.node_of(i));
                         std::size_t end = 0;
                         for (std::size_t k = 0; k < row.unknown.size(); ++k) {
                           if (row.unknown[k] < 0) continue;
                           columns[end] = static_cast<index>(row.unknown[k]);
                           values[end++] = static_cast<T>(row.value[k]);
                         }
                         insertion_sort(columns.data(), values.data(), std::ssize(columns));
                       });
}

}  // namespace

template <real_scalar T>
csr_matrix<T> fem(const context& where, domain shape, index_t n, std::uint64_t seed) try {
  require_host(where, "fem");
  require_at_least(0, "fem", "n", n);
  if (n > index_t{1} << 56)
    throw fail(error_kind::overflow, "fem: {} nodes are more than 64-bit entry counts allow",
               count_text(n));
  if (shape == domain::ball) return stiffness<T>(where, mesh<3>(where, shape, n, seed));
  return stiffness<T>(where, mesh<2>(where, shape, n, seed));
} catch (const std::bad_alloc&) {
  refuse_memory("a generated matrix");
}

template csr_matrix<float> fem(const context&, domain, index_t, std::uint64_t);
template csr_matrix<double> fem(const context&, domain, index_t, std::uint64_t);

}  // namespace gossamer::generate
