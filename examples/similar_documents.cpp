// The most similar other documents of each one, by the cosine of their word counts. Only the best
// are ever stored: the filter works while rows are computed.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

int main() {
  const auto cpu = gs::context::openmp();
  // Documents by words: a few frequent words, many rare ones.
  const auto counts = gs::generate::power_law<double>(cpu, {600, 600}, 10, 80);

  // Rows of length 1; empty documents stay empty.
  // [everyday]
  auto lengths = gs::row_norms(counts);
  for (double& length : lengths) length = length > 0 ? 1 / length : 0;
  const auto X = gs::scale_rows(counts, lengths);
  // [/everyday]

  constexpr int top = 5;
  const auto itself = gs::identity<double>(X.rows());
  const auto S = gs::multiply(
      cpu, X, gs::transposed(X),
      {.mask = gs::complement(gs::pattern_of(itself)), .keep = {.magnitude = 0.2, .largest = top}});
  std::cout << X.rows() << " documents, " << S.nnz() << " similar pairs are kept\n";

  // Against all similarities: each row keeps the largest ones.
  const auto all = gs::to_dense(gs::multiply(cpu, X, gs::transposed(X)));
  bool right = true;
  for (gs::index_t i = 0; i < X.rows(); ++i) {
    std::vector<double> wanted, found;
    for (gs::index_t j = 0; j < X.rows(); ++j)
      if (i != j && all(i, j) >= 0.2) wanted.push_back(all(i, j));
    std::sort(wanted.rbegin(), wanted.rend());
    if (wanted.size() > top) wanted.resize(top);
    const auto row = gs::slice_rows(S, i, i + 1);
    for (const auto [unused, j, value] : row.view()) found.push_back(value);
    std::sort(found.rbegin(), found.rend());
    right = right && found.size() == wanted.size() &&
            std::equal(found.begin(), found.end(), wanted.begin(),
                       [](double a, double b) { return std::abs(a - b) < 1e-12; });
  }
  return right ? 0 : 1;
}
