// Damped waves on a grid, (L - k² - i d) u = f, by conjugate gradients on the normal equations:
// each step multiplies by A and by its conjugate transpose.
#include <cmath>
#include <complex>
#include <iostream>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;
using c128 = std::complex<double>;
using vec = std::vector<c128>;

double squared(const vec& a) {
  double sum = 0;
  for (const c128& z : a) sum += std::norm(z);
  return sum;
}

/// a + s b
void add(vec& a, double s, const vec& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += s * b[i];
}

int main() {
  const auto cpu = gs::context::openmp();
  const auto L = gs::generate::poisson2d<double>(cpu, 30, 30);
  const vec wanted(static_cast<std::size_t>(L.rows()), c128(1, -1));
  // [complex]
  using c128 = std::complex<double>;
  auto wide = gs::convert<gs::csr_matrix<c128>>(L);
  auto A = gs::add(wide, gs::scaled(c128(-0.5, -0.3), gs::identity<c128>(L.rows())));
  auto f = gs::multiply(cpu, A, wanted);
  auto g = gs::multiply(cpu, gs::conjugate_transposed(A), f);  // Aᴴ f
  auto G = gs::multiply(cpu, gs::conjugate_transposed(A), A);  // Aᴴ A, sparse
  // [/complex]
  // [everyday]
  auto narrow = gs::convert<gs::csr_matrix<float>>(L);
  vec y(wanted.size());
  gs::multiply(cpu, narrow, wanted, y);  // values of float, sums of complex doubles
  // [/everyday]

  vec x(wanted.size()), r = f, s = g, p = s, Ap(x.size());
  double ss = squared(s);
  const double enough = 1e-20 * ss;
  int steps = 0;
  for (; steps < 2000 && ss > enough; ++steps) {
    gs::multiply(cpu, A, p, Ap);
    const double alpha = ss / squared(Ap);
    add(x, alpha, p);
    add(r, -alpha, Ap);
    gs::multiply(cpu, gs::conjugate_transposed(A), r, s);
    const double before = ss;
    ss = squared(s);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = s[i] + ss / before * p[i];
  }

  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(x[i] - wanted[i]));
  const bool hermitian = gs::allclose(G, gs::conjugate_transposed(G));
  const bool same = gs::multiply(cpu, L, wanted) == y;  // L has values that float has, too
  std::cout << x.size() << " unknowns, " << steps << " steps, largest error " << error << '\n';
  return error < 1e-6 && hermitian && same ? 0 : 1;
}
