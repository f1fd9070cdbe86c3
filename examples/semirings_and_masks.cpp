// What docs/guide/semirings-and-masks.md shows, on graphs whose answers are known; exit code 1 when
// an answer is another.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <vector>

#include "gossamer/gossamer.hpp"

namespace gs = gossamer;

namespace {

using matrix = gs::csr_matrix<double>;

matrix from_rows(const std::vector<std::vector<std::pair<int, double>>>& rows, gs::index_t cols) {
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<double> values;
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      columns.push_back(column);
      values.push_back(value);
    }
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return {{static_cast<gs::index_t>(rows.size()), cols},
          gs::index_buffer(std::span<const std::int32_t>(offsets)),
          gs::index_buffer(std::span<const std::int32_t>(columns)),
          gs::buffer<double>(std::span<const double>(values))};
}

/// The entries below the diagonal.
matrix lower_triangle(const matrix& a) {
  std::vector<std::vector<std::pair<int, double>>> rows(static_cast<std::size_t>(a.rows()));
  for (gs::index_t i = 0; i < a.rows(); ++i)
    for (gs::index_t p = a.row_offsets()[i]; p < a.row_offsets()[i + 1]; ++p)
      if (const auto j = a.column_indices()[p]; j < i)
        rows[static_cast<std::size_t>(i)].emplace_back(static_cast<int>(j), 1.0);
  return from_rows(rows, a.cols());
}

double triangles(const gs::context& cpu, const matrix& L) {
  // [semirings-and-masks]
  // L: the edges of a graph below the diagonal. Over each edge, how many paths of two edges close a
  // triangle; each triangle is seen once.
  const auto C =
      gs::multiply(cpu, L, L, {.semiring = gs::semiring::plus_pair, .mask = gs::pattern_of(L)});
  const double count = std::accumulate(C.values().begin(), C.values().end(), 0.0);
  // [/semirings-and-masks]
  return count;
}

matrix distances(const gs::context& cpu, const matrix& roads) {
  // [semirings-and-masks]
  // roads: lengths, and a stored 0 on the diagonal, since staying costs nothing. Each product looks
  // at paths twice as long as before.
  auto D = roads;
  for (gs::index_t steps = 1; steps < roads.rows(); steps *= 2)
    D = gs::multiply(cpu, D, D, {.semiring = gs::semiring::min_plus});
  // [/semirings-and-masks]
  return D;
}

matrix neighbours(const gs::context& cpu, const matrix& X, const matrix& itself) {
  // [semirings-and-masks]
  // X: a row of length 1 per document. The ten most similar others of each, if they are similar
  // enough; the full matrix of similarities is never stored.
  const auto S = gs::multiply(
      cpu, X, gs::transposed(X),
      {.mask = gs::complement(gs::pattern_of(itself)), .keep = {.magnitude = 0.5, .largest = 10}});
  // [/semirings-and-masks]
  return S;
}

matrix residual(const gs::context& cpu, const matrix& A, const matrix& B, const matrix& Z) {
  // [semirings-and-masks]
  const auto R = gs::multiply(cpu, gs::scaled(2.0, A), B, gs::scaled(-1.0, Z));  // 2 A B - Z
  // [/semirings-and-masks]
  return R;
}

bool agree(const char* what, double found, double wanted) {
  std::cout << what << ": " << found << '\n';
  return std::abs(found - wanted) < 1e-12;
}

}  // namespace

int main() {
  const auto cpu = gs::context::openmp();
  bool right = true;

  // Points that touch on a grid of 30 x 20: each square of four has four triangles.
  const auto grid =
      gs::generate::poisson2d<double>(cpu, 30, 20, gs::generate::stencil::finite_element);
  right &= agree("triangles", triangles(cpu, lower_triangle(grid)), 4 * 29 * 19);

  // A ring of 12 towns, one mile apart: the farthest is 6 miles away.
  std::vector<std::vector<std::pair<int, double>>> ring(12);
  for (int i = 0; i < 12; ++i)
    ring[static_cast<std::size_t>(i)] = {{i, 0.0}, {(i + 1) % 12, 1.0}, {(i + 11) % 12, 1.0}};
  const auto D = distances(cpu, from_rows(ring, 12));
  right &= agree("pairs of towns", static_cast<double>(D.nnz()), 144);
  right &= agree("longest way", *std::max_element(D.values().begin(), D.values().end()), 6);

  // Three documents: the first two share most of their words, the third is alone.
  const auto X = from_rows({{{0, 0.6}, {1, 0.8}}, {{0, 0.8}, {1, 0.6}}, {{1, 0.1}, {2, 0.995}}}, 3);
  const auto itself = from_rows({{{0, 1.0}}, {{1, 1.0}}, {{2, 1.0}}}, 3);
  const auto S = neighbours(cpu, X, itself);
  right &= agree("similar pairs", static_cast<double>(S.nnz()), 2);
  right &= agree("their similarity", S.values()[0], 0.96);

  const auto R = residual(cpu, itself, X, X);
  right &= agree("2 I X - X", R.values()[0], 0.6);
  return right ? 0 : 1;
}
