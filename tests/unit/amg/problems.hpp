// Linear systems of known character.
#pragma once

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "gossamer/amg.hpp"
#include "gossamer/gossamer.hpp"

namespace gossamer::amg {

/// Triplets of a matrix that is assembled.
struct triplets {
  std::vector<index_t> rows, columns;
  std::vector<double> values;
  void add(index_t row, index_t column, double value) {
    rows.push_back(row);
    columns.push_back(column);
    values.push_back(value);
  }
  /// An edge of a network: its conductivity between two unknowns.
  void connect(index_t i, index_t j, double by) {
    add(i, i, by);
    add(j, j, by);
    add(i, j, -by);
    add(j, i, -by);
  }
  csr_matrix<double> matrix(index_t n) const {
    return from_triplets({n, n}, rows, columns, values);
  }
};

/// Diffusion on an n x n grid with conductivities across(x, y) to the right and along(x, y)
/// upwards; zero outside the grid.
template <class Across, class Along>
csr_matrix<double> diffusion(index_t n, Across&& across, Along&& along) {
  triplets t;
  for (index_t y = 0; y < n; ++y)
    for (index_t x = 0; x < n; ++x) {
      const index_t i = y * n + x;
      if (x + 1 < n) t.connect(i, i + 1, across(x, y));
      if (y + 1 < n) t.connect(i, i + n, along(x, y));
      if (x == 0 || x + 1 == n) t.add(i, i, across(x, y));
      if (y == 0 || y + 1 == n) t.add(i, i, along(x, y));
    }
  return t.matrix(n * n);
}

/// Plane stress on n x n bilinear elements of side one, clamped at the left: Young's modulus 1,
/// Poisson's ratio 0.3. Two unknowns a node, and the three rigid body motions as candidates.
struct elastic_plate {
  csr_matrix<double> a;
  dense_matrix<double> motions;
};

inline std::array<std::array<double, 8>, 8> plate_element() {
  constexpr double nu = 0.3, factor = 1 / (1 - nu * nu);
  constexpr std::array<std::array<double, 2>, 4> corners{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  const double gauss = 1 / std::sqrt(3.0);
  std::array<std::array<double, 8>, 8> k{};
  for (const auto& g : corners) {
    std::array<std::array<double, 8>, 3> strain{};
    for (std::size_t c = 0; c < 4; ++c) {
      const double dx = corners[c][0] * (1 + corners[c][1] * g[1] * gauss) / 2;
      const double dy = corners[c][1] * (1 + corners[c][0] * g[0] * gauss) / 2;
      strain[0][2 * c] = strain[2][2 * c + 1] = dx;
      strain[1][2 * c + 1] = strain[2][2 * c] = dy;
    }
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t j = 0; j < 8; ++j)
        k[i][j] += factor / 4 *
                   (strain[0][i] * (strain[0][j] + nu * strain[1][j]) +
                    strain[1][i] * (strain[1][j] + nu * strain[0][j]) +
                    (1 - nu) / 2 * strain[2][i] * strain[2][j]);
  }
  return k;
}

inline elastic_plate make_plate(index_t n) {
  const auto element = plate_element();
  const index_t across = n;  // nodes of a row that are free: the first column is clamped
  const auto node = [&](index_t x, index_t y) { return x == 0 ? index_t{-1} : y * across + x - 1; };
  triplets t;
  for (index_t y = 0; y < n; ++y)
    for (index_t x = 0; x < n; ++x) {
      const std::array<index_t, 4> nodes{node(x, y), node(x + 1, y), node(x + 1, y + 1),
                                         node(x, y + 1)};
      for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t j = 0; j < 8; ++j)
          if (nodes[i / 2] >= 0 && nodes[j / 2] >= 0)
            t.add(2 * nodes[i / 2] + static_cast<index_t>(i % 2),
                  2 * nodes[j / 2] + static_cast<index_t>(j % 2), element[i][j]);
    }
  const index_t unknowns = 2 * across * (n + 1);
  elastic_plate plate{t.matrix(unknowns), dense_matrix<double>(unknowns, 3)};
  auto motion = plate.motions.mutable_view();
  for (index_t y = 0; y <= n; ++y)
    for (index_t x = 1; x <= n; ++x) {
      const index_t i = 2 * node(x, y);
      for (index_t c = 0; c < 2; ++c)
        for (index_t r = 0; r < 2; ++r) motion(i + r, c) = r == c ? 1 : 0;
      motion(i, 2) = -static_cast<double>(y);
      motion(i + 1, 2) = static_cast<double>(x);
    }
  return plate;
}

/// Solves for a known solution and returns the result; `error` gets the largest difference over the
/// largest element.
template <real T>
solve_result solve_known(const hierarchy<T>& levels, const csr_matrix<T>& a,
                         const solve_options& how = {}, double* error = nullptr) {
  std::vector<T> known(static_cast<std::size_t>(a.rows())), x(known.size());
  generate::fill_random<T>(context::openmp(1), known, 3);
  const auto b = multiply(context::openmp(1), a, known);
  const auto done = solve(levels, b, x, how);
  if (error) {
    *error = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      *error = std::max(*error, std::abs(static_cast<double>(x[i] - known[i])));
  }
  return done;
}

}  // namespace gossamer::amg
