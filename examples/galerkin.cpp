// The coarse operator of a multigrid method, R A P with R = Pᵀ: a triple product whose order the
// library chooses.
#include <cmath>
#include <iostream>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

/// Linear interpolation from n / 2 to n points (n even), scaled so that each coarse point weighs 1.
gs::csr_matrix<double> interpolation(int n) {
  std::vector<int> rows, columns;
  std::vector<double> values;
  for (int coarse = 0; coarse < n / 2; ++coarse)
    for (const int offset : {-1, 0, 1})
      if (const int fine = 2 * coarse + 1 + offset; fine >= 0 && fine < n) {
        rows.push_back(fine);
        columns.push_back(coarse);
        values.push_back(offset == 0 ? 1.0 : 0.5);
      }
  return gs::from_triplets({n, n / 2}, rows, columns, values);
}

int main() {
  constexpr int n = 64;
  const auto cpu = gs::context::openmp();
  const auto A = gs::generate::poisson2d<double>(cpu, n, n);
  // On a grid of two dimensions, interpolation is the Kronecker product of that of one.
  const auto line = interpolation(n);
  // [everyday]
  const auto P = gs::kron(cpu, line, line);
  gs::triple_choice why;  // of (Pᵀ A) P and Pᵀ (A P), the one with fewer multiplications
  const auto coarse = gs::triple_product(cpu, gs::transposed(P), A, P, {}, &why);
  // [/everyday]
  std::cout << "A is " << A.rows() << " x " << A.cols() << ", Pᵀ A P is " << coarse.rows() << " x "
            << coarse.cols() << " with " << coarse.nnz() << " nonzeros\n"
            << (why.left_first ? "(Pᵀ A) P" : "Pᵀ (A P)") << " was chosen: " << why.left_work
            << " against " << why.right_work << " multiplications\n"
            << gs::spy(gs::slice_rows(coarse, 0, 128), {.width = 60, .height = 8});

  // Symmetric, positive on the diagonal, and x' (R A P) y = (P x)' A (P y).
  const auto two_steps = gs::multiply(cpu, gs::transposed(P), gs::multiply(cpu, A, P));
  bool right = gs::allclose(coarse, two_steps) && gs::allclose(coarse, gs::transposed(coarse));
  for (const double d : gs::diagonal_of(coarse)) right = right && d > 0;
  const std::vector<double> ones(static_cast<std::size_t>(coarse.rows()), 1.0);
  const auto left = gs::multiply(cpu, coarse, ones);
  const auto rest =
      gs::multiply(cpu, gs::transposed(P), gs::multiply(cpu, A, gs::multiply(cpu, P, ones)));
  for (std::size_t i = 0; i < left.size(); ++i) right = right && std::abs(left[i] - rest[i]) < 1e-9;
  return right ? 0 : 1;
}
