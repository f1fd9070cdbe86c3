#include "generate/mesh.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "base/text.hpp"

namespace gossamer::generate {
namespace {

/// How far a node moves, in cells, along each axis; and the least quality jitter may leave behind.
template <int D>
constexpr double jitter_reach = D == 2 ? 0.25 : 0.2;
constexpr double least_quality = 0.02;
/// Nodes are numbered in random order within runs of this many.
constexpr index_t shuffled_run = 64;

/// Cells per side for about n interior nodes: (cells - 1)^D of them, less a quarter for the L.
template <int D>
index_t cells_for(domain shape, index_t n) {
  const double wanted = static_cast<double>(n);
  if (shape != domain::l_shape)
    return static_cast<index_t>(std::llround(std::pow(wanted, 1.0 / D))) + 1;
  const double cells = (2 + std::sqrt(1 + 3 * wanted)) / 1.5;
  return std::max<index_t>(4, 2 * static_cast<index_t>(std::llround(cells / 2)));
}

point<3> cross(const point<3>& a, const point<3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <int D>
point<D> difference(const point<D>& a, const point<D>& b) {
  point<D> result;
  for (std::size_t d = 0; d < D; ++d) result[d] = a[d] - b[d];
  return result;
}

/// Large for a well-shaped simplex (1/2 for a right triangle), 0 for a flat one, negative for one
/// turned inside out: det relative to the longest edge and to the orientation in the grid.
template <int D>
double quality(const std::array<point<D>, D + 1>& vertices, const simplex<D>& s) {
  std::array<point<D>, D + 1> in_grid;
  double longest = 0;
  for (std::size_t a = 0; a <= D; ++a) {
    for (std::size_t d = 0; d < D; ++d) in_grid[a][d] = (s[a] >> d) & 1;
    for (std::size_t b = 0; b < a; ++b) {
      const auto edge = difference<D>(vertices[a], vertices[b]);
      double square = 0;
      for (const double e : edge) square += e * e;
      longest = std::max(longest, square);
    }
  }
  const double volume = D == 2 ? longest : longest * std::sqrt(longest);
  return shape_of<D>(vertices).det * shape_of<D>(in_grid).det / volume;
}

}  // namespace

template <>
simplex_shape<2> shape_of<2>(const std::array<point<2>, 3>& v) {
  const auto e = difference<2>(v[1], v[0]), f = difference<2>(v[2], v[0]);
  simplex_shape<2> s;
  s.normals[1] = {f[1], -f[0]};
  s.normals[2] = {-e[1], e[0]};
  for (std::size_t d = 0; d < 2; ++d) s.normals[0][d] = -(s.normals[1][d] + s.normals[2][d]);
  s.det = e[0] * f[1] - e[1] * f[0];
  return s;
}

template <>
simplex_shape<3> shape_of<3>(const std::array<point<3>, 4>& v) {
  const auto e = difference<3>(v[1], v[0]), f = difference<3>(v[2], v[0]),
             g = difference<3>(v[3], v[0]);
  simplex_shape<3> s;
  s.normals[1] = cross(f, g);
  s.normals[2] = cross(g, e);
  s.normals[3] = cross(e, f);
  for (std::size_t d = 0; d < 3; ++d)
    s.normals[0][d] = -(s.normals[1][d] + s.normals[2][d] + s.normals[3][d]);
  s.det = e[0] * s.normals[1][0] + e[1] * s.normals[1][1] + e[2] * s.normals[1][2];
  return s;
}

template <int D>
mesh<D>::mesh(const context& where, domain shape, index_t n, std::uint64_t seed)
    : shape_(shape),
      labels_(seed, purpose::mesh_labels),
      jitter_(seed, purpose::mesh_jitter),
      numbers_(seed, purpose::mesh_numbers) {
  if (n == 0) return;
  cells_ = cells_for<D>(shape, n);
  side_ = cells_ + 1;
  index_t nodes = 1;
  for (auto& stride : stride_) {
    stride = nodes;
    nodes *= side_;
  }
  position_ = buffer<point<D>>(nodes, where.memory());
  unknown_ = buffer<index_t>(nodes, where.memory());
  label_ = buffer<std::uint64_t>(nodes, where.memory());
  number_nodes(where);
  place_nodes(where);
}

template <int D>
place<D> mesh<D>::place_of(index_t node) const {
  place<D> at;
  for (auto& coordinate : at) {
    coordinate = node % side_;
    node /= side_;
  }
  return at;
}

template <int D>
bool mesh<D>::interior(const place<D>& at) const {
  for (const index_t coordinate : at)
    if (coordinate == 0 || coordinate == cells_) return false;
  return shape_ != domain::l_shape || at[0] < cells_ / 2 || at[1] < cells_ / 2;
}

// Lines of the grid are counted, then written side by side; then runs of numbers are shuffled.
template <int D>
void mesh<D>::number_nodes(const context& where) {
  const index_t lines = unknown_.size() / side_;
  std::vector<index_t> start(static_cast<std::size_t>(lines) + 1, 0);
  parallel_ranges(where.threads(), lines, 256, [&](index_t begin, index_t end) {
    for (index_t node = begin * side_; node < end * side_; ++node)
      start[static_cast<std::size_t>(node / side_) + 1] += interior(place_of(node));
  });
  for (std::size_t line = 1; line < start.size(); ++line) start[line] += start[line - 1];
  node_ = buffer<index_t>(start.back(), where.memory());
  parallel_ranges(where.threads(), lines, 256, [&](index_t begin, index_t end) {
    index_t next = start[static_cast<std::size_t>(begin)];
    for (index_t node = begin * side_; node < end * side_; ++node) {
      unknown_[node] = -1;
      if (interior(place_of(node))) node_[next++] = node;
    }
  });
  const index_t runs = (node_.size() + shuffled_run - 1) / shuffled_run;
  parallel_ranges(where.threads(), runs, 64, [&](index_t begin, index_t end) {
    for (index_t run = begin; run < end; ++run) {
      const auto draws = numbers_.of(static_cast<std::uint64_t>(run));
      const index_t first = run * shuffled_run;
      const index_t size = std::min(shuffled_run, node_.size() - first);
      for (index_t k = size - 1; k > 0; --k)
        std::swap(node_[first + k],
                  node_[first + draws.below(static_cast<std::uint64_t>(k), k + 1)]);
      for (index_t k = 0; k < size; ++k) unknown_[node_[first + k]] = first + k;
    }
  });
}

// Each coordinate is multiplied by max|p_d| / |p|, which makes a sphere of every cube around the
// centre. The map is smooth in each of the 2 D pyramids of the cube and creased between them, where
// two coordinates tie for the largest; see random_label.
template <int D>
point<D> mesh<D>::mapped(index_t node, double jitter) const {
  const auto at = place_of(node);
  const auto draws = jitter_.of(static_cast<std::uint64_t>(node));
  point<D> p, moved;
  double largest = 0, square = 0;
  for (std::size_t d = 0; d < D; ++d) {
    p[d] = static_cast<double>(2 * at[d] - cells_) / static_cast<double>(cells_);
    moved[d] = p[d] + 2 * jitter * draws.template centred<double>(d) / static_cast<double>(cells_);
    largest = std::max(largest, std::abs(p[d]));
    square += p[d] * p[d];
  }
  if (shape_ != domain::l_shape && square > 0)
    for (auto& coordinate : moved) coordinate *= largest / std::sqrt(square);
  return moved;
}

// A simplex across a crease of the map would be flat or folded (a right angle of the grid becomes a
// straight one), so cells must be cut along creases: their nodes get the lowest labels.
template <int D>
std::uint64_t mesh<D>::random_label(index_t node) const {
  const auto at = place_of(node);
  index_t largest = 0;
  std::uint64_t ties = 0;
  for (const index_t coordinate : at) {
    const index_t distance = std::abs(2 * coordinate - cells_);
    ties = distance > largest ? 1 : ties + (distance == largest);
    largest = std::max(largest, distance);
  }
  const std::uint64_t rank = shape_ == domain::l_shape ? 0 : D - ties;
  return (rank << 62) | (labels_.bits(static_cast<std::uint64_t>(node)) >> 2);
}

template <int D>
void mesh<D>::place_nodes(const context& where) {
  parallel_ranges(where.threads(), position_.size(), 1 << 10, [&](index_t begin, index_t end) {
    for (index_t node = begin; node < end; ++node) {
      label_[node] = random_label(node);
      position_[node] = mapped(node, unknown_[node] < 0 ? 0 : jitter_reach<D>);
    }
  });
  while (calm_worst_nodes(where) > 0) {
  }
}

template <int D>
double mesh<D>::quality_around(index_t node) const {
  double worst = 1;
  for_each_simplex_around(node, [&](int own, const simplex<D>& s) {
    std::array<point<D>, D + 1> vertices;
    for (std::size_t a = 0; a <= D; ++a) vertices[a] = position_[corner_node(node, own, s[a])];
    worst = std::min(worst, quality<D>(vertices, s));
  });
  return worst;
}

// Where jitter flattened a simplex too much, its nodes are moved back to the grid. All nodes are
// tested before any is moved, so the result does not depend on the order of work. Returns how many
// were moved back.
template <int D>
index_t mesh<D>::calm_worst_nodes(const context& where) {
  std::vector<std::uint8_t> flat(static_cast<std::size_t>(unknowns()), 0);
  std::atomic<index_t> moved{0}, folded{0};
  parallel_ranges(where.threads(), unknowns(), 256, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) {
      const double worst = quality_around(node_[i]);
      flat[static_cast<std::size_t>(i)] = worst < least_quality;
      if (worst <= 0) ++folded;
    }
  });
  parallel_ranges(where.threads(), unknowns(), 1 << 12, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) {
      if (!flat[static_cast<std::size_t>(i)]) continue;
      const auto calm = mapped(node_[i], 0);
      if (calm == position_[node_[i]]) continue;
      position_[node_[i]] = calm;
      ++moved;
    }
  });
  if (moved == 0 && folded > 0)
    throw fail(error_kind::bad_argument,
               "fem: a mesh of {} cells a side has {} nodes with folded elements; try another size",
               count_text(cells_), count_text(folded));
  return moved;
}

template class mesh<2>;
template class mesh<3>;

}  // namespace gossamer::generate
