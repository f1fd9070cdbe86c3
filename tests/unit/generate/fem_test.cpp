// Linear finite elements: the mesh is a mesh, the matrix is its stiffness.
#include <cmath>
#include <numbers>
#include <set>

#include "generate/mesh.hpp"
#include "support.hpp"

namespace gossamer::generate {
namespace {

/// The total volume of the simplices that touch an interior node; each must be properly turned.
template <int D>
double covered_volume(const mesh<D>& m) {
  std::set<std::array<index_t, D + 1>> seen;
  double volume = 0;
  for (index_t i = 0; i < m.unknowns(); ++i) {
    const index_t node = m.node_of(i);
    EXPECT_EQ(m.unknown_of(node), i);
    m.for_each_simplex_around(node, [&](int own, const simplex<D>& s) {
      std::array<index_t, D + 1> nodes;
      std::array<point<D>, D + 1> vertices, in_grid;
      for (std::size_t a = 0; a <= D; ++a) {
        nodes[a] = m.corner_node(node, own, s[a]);
        vertices[a] = m.position(nodes[a]);
        for (std::size_t d = 0; d < D; ++d) in_grid[a][d] = (s[a] >> d) & 1;
      }
      const double det = shape_of<D>(vertices).det * shape_of<D>(in_grid).det;
      EXPECT_GT(det, 0);
      if (seen.insert(nodes).second) volume += det / (D == 2 ? 2 : 6);
    });
  }
  return volume;
}

TEST(Mesh, TrianglesCoverTheDiscAndTheL) {
  const mesh<2> disc(context::openmp(2), domain::disc, 10000, 3);
  EXPECT_NEAR(covered_volume(disc), std::numbers::pi, 0.01);
  const mesh<2> l(context::openmp(2), domain::l_shape, 10000, 3);
  EXPECT_NEAR(covered_volume(l), 3, 0.01);
}

TEST(Mesh, TetrahedraCoverTheBall) {
  const mesh<3> ball(context::openmp(2), domain::ball, 20000, 3);
  EXPECT_NEAR(covered_volume(ball), 4 * std::numbers::pi / 3, 0.05);
}

TEST(Mesh, ElementsAreProperForEverySize) {
  for (index_t n : {1, 2, 9, 30, 64, 100, 333, 1000, 2000})
    for (std::uint64_t seed : {1, 2, 3}) {
      covered_volume(mesh<2>(one_thread(), domain::disc, n, seed));
      covered_volume(mesh<2>(one_thread(), domain::l_shape, n, seed));
      covered_volume(mesh<3>(one_thread(), domain::ball, n, seed));
    }
}

TEST(Mesh, ShapeOfAUnitTriangleAndTetrahedron) {
  const auto triangle = shape_of<2>({{{0, 0}, {2, 0}, {0, 1}}});
  EXPECT_EQ(triangle.det, 2);
  EXPECT_EQ(triangle.normals[1], (point<2>{1, 0}));
  EXPECT_EQ(triangle.normals[0], (point<2>{-1, -2}));
  const auto tetrahedron = shape_of<3>({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  EXPECT_EQ(tetrahedron.det, 1);
  EXPECT_EQ(tetrahedron.normals[0], (point<3>{-1, -1, -1}));
}

TEST(Fem, SymmetricPositiveDefiniteOfAboutTheSizeAsked) {
  for (const auto shape : {domain::disc, domain::l_shape, domain::ball})
    for (const index_t n : {1000, 4000}) {
      const auto a = fem<double>(context::openmp(2), shape, n, 7);
      EXPECT_NEAR(static_cast<double>(a.rows()), static_cast<double>(n),
                  0.15 * static_cast<double>(n));
      expect_sorted_rows(a);
      expect_symmetric(a);
      for (std::uint64_t seed = 1; seed < 5; ++seed) EXPECT_GT(energy(a, seed), 0);
    }
}

TEST(Fem, TheEnergyOfALinearFunctionIsItsGradient) {
  // u = x inside: x' A x over nodes away from the boundary is what the gradient gives: A u vanishes
  // in rows without boundary neighbours, since linear functions are reproduced exactly.
  const mesh<2> m(one_thread(), domain::disc, 2000, 5);
  const auto a = fem<double>(one_thread(), domain::disc, 2000, 5);
  ASSERT_EQ(a.rows(), m.unknowns());
  index_t checked = 0;
  for (index_t i = 0; i < a.rows(); ++i) {
    bool inside = true;
    m.for_each_simplex_around(m.node_of(i), [&](int own, const simplex<2>& s) {
      for (const int corner : s)
        inside &= m.unknown_of(m.corner_node(m.node_of(i), own, corner)) >= 0;
    });
    if (!inside) continue;
    double product = 0, constant = 0, size = 0;
    for (index_t p = a.row_offsets()[i]; p < a.row_offsets()[i + 1]; ++p) {
      const double value = a.values()[static_cast<std::size_t>(p)];
      product += value * m.position(m.node_of(a.column_indices()[p]))[0];
      constant += value;
      size += std::abs(value);
    }
    EXPECT_NEAR(product, 0, 1e-13 * size);
    EXPECT_NEAR(constant, 0, 1e-13 * size);
    ++checked;
  }
  EXPECT_GT(checked, 1500);
}

TEST(Fem, RowLengthsVaryAsInAnUnstructuredMesh) {
  const auto triangles = fem<double>(one_thread(), domain::l_shape, 3000);
  const auto tetrahedra = fem<double>(one_thread(), domain::ball, 3000);
  std::map<index_t, index_t> in_2d, in_3d;
  for (index_t i = 0; i < triangles.rows(); ++i) ++in_2d[row_length(triangles, i)];
  for (index_t i = 0; i < tetrahedra.rows(); ++i) ++in_3d[row_length(tetrahedra, i)];
  EXPECT_GE(in_2d.size(), 4U);
  EXPECT_GE(in_3d.size(), 10U);
}

TEST(Fem, EdgeSizes) {
  EXPECT_EQ(fem<double>(one_thread(), domain::disc, 0).shape(), (extents{0, 0}));
  const auto one = fem<double>(one_thread(), domain::ball, 1);
  EXPECT_EQ(one.shape(), (extents{1, 1}));
  EXPECT_GT(one.values()[0], 0);
  EXPECT_EQ(fem<float>(one_thread(), domain::l_shape, 5).rows(), 5);
  expect_mentions(error_of([] { fem<double>(one_thread(), domain::disc, -3); }),
                  {"fem", "n is -3"});
  EXPECT_NE(error_of([] { fem<double>(one_thread(), domain::ball, index_t{1} << 62); }), "");
}

}  // namespace
}  // namespace gossamer::generate
