// A user's first program, built in the three ways a user may build it.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "gossamer/amg.hpp"
#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

int main() {
  // [1 2; 0 3] in the caller's own arrays.
  const std::array<double, 3> values{1, 2, 3};
  const std::array<std::int32_t, 3> offsets{0, 2, 3};
  const std::array<std::int32_t, 3> columns{0, 1, 1};
  const gs::csr_view<const double> a(values.data(), offsets.data(), columns.data(), {2, 2});

  const auto cpu = gs::context::best();
  const std::array<double, 2> x{10, 1};
  std::array<double, 2> y{};
  gs::multiply(cpu, a, x, y);                   // [12, 3]
  const auto square = gs::multiply(cpu, a, a);  // [1 8; 0 9]

  const auto poisson = gs::generate::poisson2d<double>(cpu, 40, 40);
  const gs::amg::hierarchy<double> levels(cpu, poisson);
  const std::vector<double> heat(1600, 1.0);
  std::vector<double> temperature(1600);
  const bool solved = gs::amg::solve(levels, heat, temperature).converged();

  const bool right = solved && y == std::array<double, 2>{12, 3} && square.nnz() == 3 &&
                     square.values()[0] == 1 && square.values()[1] == 8 && square.values()[2] == 9;
  std::cout << gs::build_description() << (right ? "right\n" : "wrong\n");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
