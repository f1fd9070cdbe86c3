// Heat in a plate whose conductivity changes with its temperature. Every step of the implicit
// method solves a linear system; the structure of its matrix stays, so the multigrid hierarchy is
// built once and takes new values in each step.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

#include "gossamer/amg.hpp"
#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

namespace {

constexpr gs::index_t n = 120;    // grid points along each side
constexpr double step_size = 12;  // dt / h^2

double conductivity(double left, double right) { return 1 + 4 * (left + right) / 2; }

/// I + dt K(u), on a pattern that is always the same: the boundary is kept at zero.
gs::csr_matrix<double> heat_matrix(const std::vector<double>& u) {
  std::vector<gs::index_t> rows, columns;
  std::vector<double> values;
  const auto add = [&](gs::index_t row, gs::index_t column, double value) {
    rows.push_back(row);
    columns.push_back(column);
    values.push_back(value);
  };
  const auto at = [&](gs::index_t x, gs::index_t y) {
    return x < 0 || y < 0 || x == n || y == n ? 0.0 : u[static_cast<std::size_t>(y * n + x)];
  };
  for (gs::index_t y = 0; y < n; ++y)
    for (gs::index_t x = 0; x < n; ++x) {
      const gs::index_t here = y * n + x;
      add(here, here, 1);
      for (const auto& [dx, dy] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
        const double k = step_size * conductivity(at(x, y), at(x + dx, y + dy));
        add(here, here, k);
        if (x + dx >= 0 && x + dx < n && y + dy >= 0 && y + dy < n)
          add(here, here + dy * n + dx, -k);
      }
    }
  return gs::from_triplets({n * n, n * n}, rows, columns, values);
}

}  // namespace

int main() {
  // [amg]
  const auto cpu = gs::context::openmp();
  std::vector<double> u(n * n, 0.0);
  for (gs::index_t y = n / 3; y < 2 * n / 3; ++y)  // a hot square
    for (gs::index_t x = n / 3; x < 2 * n / 3; ++x) u[static_cast<std::size_t>(y * n + x)] = 1;

  auto A = heat_matrix(u);
  gs::amg::hierarchy<double> levels(cpu, A);
  std::cout << levels.levels() << " levels, operator complexity "
            << levels.stats().operator_complexity() << '\n';
  for (int step = 1; step <= 6; ++step) {
    if (step > 1) {
      auto next = heat_matrix(u);
      levels.update(next);  // aggregates, patterns and symbolic products are kept
      A = std::move(next);  // the hierarchy borrows the arrays, which move with the matrix
    }
    const std::vector<double> before = u;
    const auto done = gs::amg::solve(levels, before, u);
    if (!done.converged()) {
      std::cerr << "step " << step << ": " << done.because << '\n';
      return 1;
    }
    std::cout << "step " << step << ": " << done.iterations << " iterations, hottest point "
              << *std::max_element(u.begin(), u.end()) << '\n';
  }
  // [/amg]
}
