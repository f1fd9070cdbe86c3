// The program the README shows, word for word; the tests run it and look at what it prints.

// [readme]
#include <iostream>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

int main() {
  const auto cpu = gs::context::openmp();  // all cores
  const auto A = gs::generate::poisson2d<double>(cpu, 300, 300);
  // const auto A = gs::read_sparse<double>("A.mtx");

  std::vector<double> x(A.cols(), 1.0), y(A.rows());
  gs::multiply(cpu, A, x, y);  // SpMV: y = A x
  // y = 2 Aᵀx - y; nothing is transposed or copied
  gs::multiply(cpu, gs::scaled(2.0, gs::transposed(A)), x, gs::scaled(-1.0, y), y);

  gs::dense_matrix<double> B(A.cols(), 32), C(A.rows(), 32);
  gs::multiply(cpu, A, B, C);  // SpMM: C = A B, where B and C are dense

  const auto P = gs::multiply(cpu, A, A);  // SpGEMM: P = A A, all sparse; the library allocates P

  // For many products with one matrix, let the library look at it once.
  const auto plan = gs::multiply_inspect(cpu, A, x, y, {.expected_calls = 1000});
  for (int i = 0; i < 1000; ++i) gs::multiply(plan, A, x, y);

  std::cout << plan.explain();  // which kernel, and why
  std::cout << "y[0] = " << y[0] << ", entries of A A: " << P.nnz() << '\n';
}
// [/readme]
