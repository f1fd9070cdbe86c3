// Unstructured simplicial meshes of a disc, an L-shape and a ball. A mesh starts as a grid of
// cells^D cells on [-1, 1]^D; for disc and ball it is drawn in towards the centre until its shells
// are round. Interior nodes are jittered, and each cell is cut into D! simplices by random node
// labels: the lowest label of a cell is joined to the sides opposite to it, which are cut the same
// way. Two cells cut their common side alike, as only the labels on it matter; the valence of nodes
// varies as in a mesh generator's output.
#pragma once

#include <array>

#include "generate/random.hpp"
#include "gossamer/context.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::generate {

template <int D>
using point = std::array<double, D>;
/// Integer coordinates of a node (or of the lowest corner of a cell) in the grid.
template <int D>
using place = std::array<index_t, D>;
/// A simplex of a cell, by corner numbers: bit d of a corner number is its coordinate on axis d.
template <int D>
using simplex = std::array<int, D + 1>;

template <int D>
class mesh {
 public:
  /// The mesh whose number of interior nodes is nearest to n (at least one, for n > 0).
  mesh(const context& where, domain shape, index_t n, std::uint64_t seed);

  index_t unknowns() const { return node_.size(); }
  index_t node_of(index_t unknown) const { return node_[unknown]; }
  /// The row of a node, or -1 on the boundary.
  index_t unknown_of(index_t node) const { return unknown_[node]; }
  const point<D>& position(index_t node) const { return position_[node]; }

  /// The node at `corner` of a cell, given the node at its corner `own`.
  index_t corner_node(index_t node, int own, int corner) const {
    for (int d = 0; d < D; ++d)
      node += (((corner >> d) & 1) - ((own >> d) & 1)) * stride_[static_cast<std::size_t>(d)];
    return node;
  }

  /// f(own, s) for every simplex s that touches an interior node: `own` is the node's corner in the
  /// simplex's cell. Cells come in ascending order, so two nodes see common simplices in one order.
  template <class F>
  void for_each_simplex_around(index_t node, F&& f) const;

 private:
  static constexpr int corners = 1 << D;
  void number_nodes(const context& where);
  void place_nodes(const context& where);
  /// Jittered nodes of simplices that became too flat go back; returns how many.
  index_t calm_worst_nodes(const context& where);
  place<D> place_of(index_t node) const;
  bool interior(const place<D>& at) const;
  point<D> mapped(index_t node, double jitter) const;
  double quality_around(index_t node) const;
  std::uint64_t random_label(index_t node) const;
  /// Cuts the face at `base` spanned by the `free` axes (a bit each); emits every simplex.
  template <int Depth, class F>
  static void cut(const std::array<std::uint64_t, corners>& labels, int free, int base,
                  simplex<D>& cell, F&& emit);

  domain shape_;
  index_t cells_ = 0, side_ = 1;
  place<D> stride_{};
  random_stream labels_, jitter_, numbers_;
  buffer<std::uint64_t> label_;
  buffer<index_t> unknown_, node_;
  buffer<point<D>> position_;
};

template <int D>
template <int Depth, class F>
void mesh<D>::cut(const std::array<std::uint64_t, corners>& labels, int free, int base,
                  simplex<D>& cell, F&& emit) {
  int lowest = base;
  for (int corner = base; corner < corners; ++corner)
    if ((corner & ~free) == base &&
        labels[static_cast<std::size_t>(corner)] < labels[static_cast<std::size_t>(lowest)])
      lowest = corner;
  cell[Depth] = lowest;
  if constexpr (Depth == D) {
    emit(cell);
  } else {
    for (int axis = 1; axis < corners; axis <<= 1)
      if (free & axis) cut<Depth + 1>(labels, free & ~axis, base | (~lowest & axis), cell, emit);
  }
}

template <int D>
template <class F>
void mesh<D>::for_each_simplex_around(index_t node, F&& f) const {
  for (int own = corners - 1; own >= 0; --own) {
    std::array<std::uint64_t, corners> labels;
    for (int corner = 0; corner < corners; ++corner)
      labels[static_cast<std::size_t>(corner)] = label_[corner_node(node, own, corner)];
    simplex<D> cell{};
    cut<0>(labels, corners - 1, 0, cell, [&](const simplex<D>& s) {
      for (const int corner : s)
        if (corner == own) return f(own, s);
    });
  }
}

/// Gradients of a simplex's hat functions times det (D! times its signed volume), and det itself.
template <int D>
struct simplex_shape {
  std::array<point<D>, D + 1> normals{};
  double det = 0;
};
template <int D>
simplex_shape<D> shape_of(const std::array<point<D>, D + 1>& vertices);

extern template class mesh<2>;
extern template class mesh<3>;

}  // namespace gossamer::generate
