// Our half of what docs/guide/moving.md shows side by side; exit code 1 when an answer is wrong.
#include <cstdio>
#include <iostream>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

namespace {

/// Arrays as another library holds them: [2 1; 0 3].
bool borrowed() {
  const std::vector<int> offsets{0, 2, 3}, columns{0, 1, 1};
  const std::vector<double> values{2, 1, 3}, x{1, 10};
  std::vector<double> y(2);
  // [moving]
  const auto cpu = gs::context::openmp();
  gs::csr_view<const double> A(values.data(), offsets.data(), columns.data(),
                               {2, 2});  // nothing is copied
  gs::multiply(cpu, A, x, y);
  // [/moving]
  return y[0] == 12 && y[1] == 30;
}

bool built() {
  const std::vector<int> rows{0, 1, 0, 1}, columns{0, 1, 1, 1};
  const std::vector<double> values{2, 1, 1, 2}, x{1, 10};
  // [moving]
  const auto A = gs::from_triplets({2, 2}, rows, columns, values);  // duplicates are added up
  const auto y = gs::multiply(gs::context::openmp(), A, x);
  // [/moving]
  return y[0] == 12 && y[1] == 30;
}

bool scaled_and_transposed() {
  const auto cpu = gs::context::openmp();
  const auto A = gs::from_triplets({2, 2}, std::vector{0, 0, 1}, std::vector{0, 1, 1},
                                   std::vector{2.0, 1.0, 3.0});
  const std::vector<double> x{1, 10};
  std::vector<double> y{5, 5};
  // [moving]
  gs::multiply(cpu, gs::scaled(2.0, gs::transposed(A)), x, gs::scaled(-1.0, y), y);
  // [/moving]
  return y[0] == -1 && y[1] == 57;
}

bool squared_under_a_mask() {
  const auto cpu = gs::context::openmp();
  const auto A = gs::from_triplets({3, 3}, std::vector{0, 0, 1, 1, 2, 2},
                                   std::vector{1, 2, 0, 2, 0, 1}, std::vector<double>(6, 1.0));
  // [moving]
  const auto C = gs::multiply(cpu, A, A, {.mask = gs::pattern_of(A)});  // C<A> = A A
  // [/moving]
  double sum = 0;
  for (const auto& [i, j, v] : gs::nonzeros(C)) sum += v;
  return sum == 6;  // a triangle, found from both ends of three edges
}

/// The three lines at the top of the README, with a file to read.
bool three_lines() {
  gs::write("A.mtx", gs::from_triplets({2, 2}, std::vector{0, 0, 1}, std::vector{0, 1, 1},
                                       std::vector{2.0, 1.0, 3.0}));
  const std::vector<double> x{1, 10};
  // [readme]
  auto A = gs::read_sparse<double>("A.mtx");           // or your own arrays, without a copy
  auto y = gs::multiply(gs::context::openmp(), A, x);  // y = A x; contexts: openmp, cuda, reference
  auto C = gs::multiply(gs::context::openmp(), A, A);  // C = A A, sorted, no duplicates
  // [/readme]
  std::remove("A.mtx");
  return y[0] == 12 && y[1] == 30 && gs::value_at(C, 0, 1) == 5;
}

}  // namespace

int main() {
  const bool right =
      three_lines() && borrowed() && built() && scaled_and_transposed() && squared_under_a_mask();
  std::cout << (right ? "all as expected\n" : "something is wrong\n");
  return right ? 0 : 1;
}
