// What docs/guide/plans.md shows, with answers that are known; exit code 1 when one is wrong.
#include <cmath>
#include <iostream>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

namespace {

/// The largest eigenvalue of the 5-point stencil on 40 x 40, by power iteration.
double largest_eigenvalue(const gs::context& cpu, const gs::csr_matrix<double>& A) {
  std::vector<double> x(static_cast<std::size_t>(A.cols()), 1.0);
  x[0] = 2.0;  // not orthogonal to the eigenvector
  double size = 0;
  // [plans]
  std::vector<double> y(static_cast<std::size_t>(A.rows()));
  const auto plan =
      gs::multiply_inspect(cpu, A, x, y, {.expected_calls = 2000, .constant_values = true});
  for (int i = 0; i < 2000; ++i) {
    gs::multiply(plan, A, x, y);
    size = 0;
    for (const double v : y) size += v * v;
    size = std::sqrt(size);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = y[k] / size;
  }
  std::cout << plan.explain();
  // [/plans]
  return size;
}

/// The square of a matrix whose values change and whose pattern does not.
double trace_of_squares(const gs::context& cpu, gs::csr_matrix<double> A) {
  double trace = 0;
  // [plans]
  const auto square = gs::multiply_compute(cpu, A, A);                   // the pattern of A A
  gs::csr_matrix<double> C(square.result_shape(), square.result_nnz());  // allocated once
  for (int step = 1; step <= 3; ++step) {
    for (double& value : A.values()) value *= 2;  // new values, the same pattern
    gs::multiply_fill(square, A, A, C);           // values only
    for (gs::index_t i = 0; i < C.rows(); ++i) trace += gs::value_at(C, i, i);
  }
  // [/plans]
  return trace;
}

bool near(const char* what, double found, double wanted) {
  const bool right = std::abs(found - wanted) <= 1e-3 * std::abs(wanted);
  std::cout << what << ": " << found << (right ? "\n" : " is wrong\n");
  return right;
}

}  // namespace

int main() {
  const auto cpu = gs::context::openmp();
  const auto A = gs::generate::poisson2d<double>(cpu, 40, 40);
  const double angle = std::acos(-1.0) / 41;
  const bool eigenvalue =
      near("largest eigenvalue", largest_eigenvalue(cpu, A), 4 + 4 * std::cos(angle));
  // A row of the stencil has 4² on the diagonal of its square and 1 for every neighbour: the trace
  // of A A is 1600 * 16 + 2 * (2 * 40 * 39); the steps scale it by 4, 16 and 64.
  const bool trace =
      near("sum of traces", trace_of_squares(cpu, A), (4 + 16 + 64) * (1600 * 16 + 4 * 40 * 39.0));
  return eigenvalue && trace ? 0 : 1;
}
