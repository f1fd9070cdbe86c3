// What docs/guide/assembly.md shows, on a graph whose answers are known; exit code 1 when an answer
// is another.
#include <iostream>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

namespace {

bool agree(const char* what, bool right) {
  std::cout << what << ": " << (right ? "as expected" : "WRONG") << '\n';
  return right;
}

/// The graph Laplacian of four nodes in a row, edge by edge.
gs::csr_matrix<double> laplacian() {
  // [assembly]
  std::vector<int> rows, columns;
  std::vector<double> values;
  for (int node = 0; node + 1 < 4; ++node) {  // an edge adds to four elements
    const int next = node + 1;
    rows.insert(rows.end(), {node, next, node, next});
    columns.insert(columns.end(), {node, next, next, node});
    values.insert(values.end(), {1, 1, -1, -1});
  }
  auto L = gs::from_triplets({4, 4}, rows, columns, values);
  std::cout << L << '\n';
  // [/assembly]
  return L;
}

gs::csr_matrix<double> taken_over() {
  // [assembly]
  std::vector<int> offsets{0, 1, 3}, indices{2, 0, 1};
  std::vector<double> elements{5, 6, 7};
  auto A = gs::from_csr({2, 3}, std::move(offsets), std::move(indices), std::move(elements));
  // [/assembly]
  return A;
}

double trace(const gs::csr_matrix<double>& A) {
  // [assembly]
  double sum = 0;
  for (const auto [i, j, v] : gs::nonzeros(A))
    if (i == j) sum += v;
  // [/assembly]
  return sum;
}

}  // namespace

int main() {
  const auto L = laplacian();
  bool right = agree("an inner node has two edges", gs::value_at(L, 1, 1) == 2);
  right &= agree("the trace counts every edge twice", trace(L) == 6);

  const auto cpu = gs::context::openmp();
  // [assembly]
  const auto y = gs::multiply(cpu, L, std::vector<double>(4, 1.0));  // rows of L sum to zero
  const auto I = gs::identity<double>(4);
  const auto S = gs::add(cpu, L, gs::scaled(0.5, I));
  const auto D = gs::to_dense(S);  // D(1, 1) is 2.5
  const bool equal = gs::allclose(S, gs::from_dense(D));
  // [/assembly]
  right &= agree("L 1", y == std::vector<double>(4, 0.0));
  right &= agree("L + I / 2", D(1, 1) == 2.5 && equal);

  const auto weights = gs::diagonal(std::vector<double>{1, 2, 3});
  const auto B = gs::multiply(cpu, taken_over(), weights);
  right &= agree("scaled columns",
                 gs::same(B, gs::from_triplets<double>({2, 3}, {0, 1, 1}, {2, 0, 1}, {15, 6, 14})));
  return right ? 0 : 1;
}
