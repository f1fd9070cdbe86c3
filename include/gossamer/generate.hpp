// Generators of test matrices. The same seed gives the same matrix, bit for bit, for any number of
// threads. Rows are sorted, without duplicates; index widths are the narrowest safe ones. Random
// values are in (0, 1], so sums and products of generated matrices never cancel; float and double
// matrices of one seed have the same pattern. Impossible parameters throw error(bad_argument) that
// names them, sizes beyond 64 bits error(overflow). docs/guide/generators.md has the details.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/context.hpp"
#include "gossamer/matrix.hpp"

namespace gossamer::generate {

/// Which rows a generator makes: part number `part` of `parts` blocks, whose sizes differ by at
/// most one; all of them unless said otherwise. The result has the rows of the part and all
/// columns, and is bitwise that part of the whole, which is never in memory. For processes that
/// share a matrix.
struct row_share {
  index_t part = 0, parts = 1;
};

/// The stencil: finite differences (5 point in 2D, 7 in 3D) or finite elements (9, 27 point).
enum class stencil { finite_difference, finite_element };

/// The Poisson matrix of an nx x ny (x nz) grid with Dirichlet boundary: symmetric positive
/// definite, -1 for each neighbour and 4 (5 point), 6 (7 point), 8 (9 point) or 26 (27 point) on
/// the diagonal, so rows away from the boundary sum to exactly zero. Unknown (x, y, z) is row (z ny
/// + y) nx + x.
template <real_scalar T>
csr_matrix<T> poisson2d(const context&, index_t nx, index_t ny,
                        stencil = stencil::finite_difference, row_share = {});
template <real_scalar T>
csr_matrix<T> poisson3d(const context&, index_t nx, index_t ny, index_t nz,
                        stencil = stencil::finite_difference, row_share = {});

/// The prolongator of plain aggregation on an nx x ny x nz grid (nz = 1: 2D). Each point, in the
/// order of poisson2d and poisson3d, is a row with a single 1, in the column of the box (`block`
/// points a side) that contains it. Boxes are numbered as points are; the last along an axis may be
/// narrower.
template <real_scalar T>
csr_matrix<T> aggregation(const context&, index_t nx, index_t ny, index_t nz, index_t block = 3);
/// The prolongator after one step of damped Jacobi with that grid's stencil A: (I - 2/3 D^-1 A) P.
/// Each row has a nonzero for every box the stencil touches, the pattern of A P; all values are
/// positive.
template <real_scalar T>
csr_matrix<T> smoothed_aggregation(const context&, index_t nx, index_t ny, index_t nz,
                                   stencil = stencil::finite_difference, index_t block = 3);

/// Domains of the finite-element matrices: triangles in a disc or an L-shape, tetrahedra in a ball.
enum class domain { disc, l_shape, ball };
/// Linear (P1) finite-element stiffness matrix on an unstructured mesh with about n interior nodes.
/// Boundary nodes are eliminated (Dirichlet): symmetric, to the bit, and positive definite. Nodes
/// are jittered and numbered in a seeded random order within small runs, as mesh generators do.
template <real_scalar T>
csr_matrix<T> fem(const context&, domain, index_t n, std::uint64_t seed = 1);

/// Probabilities of the four quadrants of R-MAT; all 0.25 is Erdos-Renyi.
struct rmat_parameters {
  double a = 0.57, b = 0.19, c = 0.19;  ///< d = 1 - a - b - c
};
/// R-MAT of 2^scale rows (scale 0 to 31) with edge_factor * 2^scale edges drawn; duplicates summed.
template <real_scalar T>
csr_matrix<T> rmat(const context&, int scale, index_t edge_factor, std::uint64_t seed = 1,
                   rmat_parameters = {});
/// R-MAT with equal probabilities: edges are uniform.
template <real_scalar T>
csr_matrix<T> erdos_renyi(const context&, int scale, index_t edge_factor, std::uint64_t seed = 1);

/// A block matrix like those of finite elements: dense blocks of `block` x `block` unknowns,
/// `neighbours` blocks per block row (the diagonal one included), spread over a band of `band`
/// block rows (band / 2 to either side). Rows have block * neighbours nonzeros, fewer near the two
/// ends; symmetric.
template <real_scalar T>
csr_matrix<T> banded_blocks(const context&, index_t rows, index_t block, index_t neighbours,
                            index_t band, std::uint64_t seed = 1);

/// Row lengths follow a power law with the given mean and longest row; columns are drawn by the
/// same law (in a square matrix, column j is as popular as row j is long). One row has `longest`
/// nonzeros (more than one only where the mean is nearly as long); the total is mean * rows to
/// within one or two; longest / rows <= mean <= longest.
template <real_scalar T>
csr_matrix<T> power_law(const context&, extents, double mean, index_t longest,
                        std::uint64_t seed = 1);

/// The aspect-ratio benchmark: nnz nonzeros spread evenly over the rows of a rows x cols matrix.
template <real_scalar T>
csr_matrix<T> aspect(const context&, index_t rows, index_t cols, index_t nnz,
                     std::uint64_t seed = 1, row_share = {});

/// Rows of `per_row` random nonzeros, except that row rows / 2 has `dense` of them.
template <real_scalar T>
csr_matrix<T> one_dense_row(const context&, extents, index_t per_row, index_t dense,
                            std::uint64_t seed = 1, row_share = {});
/// Rows of `per_row` random nonzeros; `dense` random rows have one more, in column cols / 2, which
/// no other row has.
template <real_scalar T>
csr_matrix<T> one_dense_column(const context&, extents, index_t per_row, index_t dense,
                               std::uint64_t seed = 1, row_share = {});

/// Fills `values` with numbers uniform in [-1, 1).
template <real_scalar T>
void fill_random(const context&, std::span<T> values, std::uint64_t seed = 1);
/// The same for complex numbers, whose parts are uniform in [-1, 1).
template <complex_scalar T>
void fill_random(const context& where, std::span<T> values, std::uint64_t seed = 1) {
  using part = real_of<T>;
  fill_random<part>(where, {reinterpret_cast<part*>(values.data()), 2 * values.size()}, seed);
}

/// A parameter of a generator, as the command line and suites name it.
struct parameter {
  std::string name, value, help;  ///< value is the default
};
/// A generator that can be named on the command line, in bench suites and in tests.
struct recipe {
  std::string kind, summary;
  std::vector<parameter> parameters;
  bool by_rows = false;  ///< it can make a share of the rows alone
};
/// All generators, as `gossamer generate --list` prints them.
const std::vector<recipe>& recipes();
/// Runs the generator `kind`. `settings` are "name=value"; unknown names throw error(bad_argument)
/// that lists the known ones. Sizes are whole numbers or powers (2^20); a value may be the name of
/// another parameter (ny=nx). A share of the rows is made by kinds with recipe::by_rows; others
/// throw error(not_available) when asked for one.
template <real_scalar T>
csr_matrix<T> by_name(const context&, std::string_view kind,
                      const std::vector<std::string>& settings, row_share = {});

}  // namespace gossamer::generate
