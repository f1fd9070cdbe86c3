// Solves A x = b with the conjugate gradient method. One plan serves all iterations.
#include <cmath>
#include <iostream>
#include <numeric>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;
using vec = std::vector<double>;

double dot(const vec& a, const vec& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// a + s b
void add(vec& a, double s, const vec& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += s * b[i];
}

int main() {
  const auto cpu = gs::context::openmp();
  const auto A = gs::generate::poisson2d<double>(cpu, 100, 100);
  const auto n = static_cast<std::size_t>(A.rows());
  const vec wanted(n, 1.0);
  const vec b = gs::multiply(cpu, A, wanted);

  vec x(n, 0.0), r = b, p = r, Ap(n);
  const auto plan = gs::multiply_inspect(cpu, A, p, Ap, {.expected_calls = 500});
  double rr = dot(r, r);
  int steps = 0;
  for (; steps < 1000 && std::sqrt(rr) > 1e-10 * std::sqrt(dot(b, b)); ++steps) {
    gs::multiply(plan, A, p, Ap);
    const double alpha = rr / dot(p, Ap);
    add(x, alpha, p);
    add(r, -alpha, Ap);
    const double before = rr;
    rr = dot(r, r);
    for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + rr / before * p[i];
  }

  double error = 0;
  for (std::size_t i = 0; i < n; ++i) error = std::max(error, std::abs(x[i] - wanted[i]));
  std::cout << n << " unknowns, " << steps << " steps with " << plan.kernel() << ", largest error "
            << error << '\n';
  return steps < 1000 && error < 1e-6 ? 0 : 1;
}
