// Parts, sums and rearrangements, with numbers one can check by hand, and against plain loops over
// triplets for larger matrices, formats and numbers of threads.
#include "gossamer/structure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

using vec = std::vector<double>;
using table = std::map<std::pair<index_t, index_t>, double>;

/// [ 1 0 -2 0 ]
/// [ 0 0  0 0 ]
/// [ 0 3  5 4 ]
csr_matrix<double> small() {
  return from_triplets<double>({3, 4}, {0, 0, 2, 2, 2}, {0, 2, 1, 2, 3}, {1, -2, 3, 5, 4});
}

csr_matrix<double> large() { return generate::rmat<double>(context::openmp(1), 9, 8, 7); }

table table_of(const csr_matrix<double>& a) {
  table t;
  for (const auto [i, j, v] : a) t[{i, j}] += v;
  return t;
}

std::vector<context> contexts() {
  return {context::reference(), context::openmp(1), context::openmp(4)};
}

TEST(Structure, SumsAndNorms) {
  const auto A = small();
  EXPECT_EQ(row_sums(A), (vec{-1, 0, 12}));
  EXPECT_EQ(column_sums(A), (vec{1, 3, 3, 4}));
  EXPECT_EQ(row_norms(A, reduction::norm1), (vec{3, 0, 12}));
  EXPECT_EQ(row_norms(A, reduction::norm_max), (vec{2, 0, 5}));
  EXPECT_EQ(row_norms(A), (vec{std::sqrt(5.0), 0, std::sqrt(50.0)}));
  EXPECT_EQ(column_norms(A, reduction::norm1), (vec{1, 3, 7, 4}));
  EXPECT_EQ(column_norms(scaled(2.0, A)), (vec{2, 6, 2 * std::sqrt(29.0), 8}));
  EXPECT_EQ(row_sums(transposed(A)), column_sums(A));
  EXPECT_EQ(row_sums(convert<csc_matrix<double>>(A)), row_sums(A));
  EXPECT_EQ(row_sums(A.view()), row_sums(A));
  EXPECT_EQ(diagonal_of(A), (vec{1, 0, 5}));
  EXPECT_EQ(diagonal_of(transposed(A)), (vec{1, 0, 5}));
  EXPECT_EQ(diagonal_of(csr_matrix<double>({0, 4}, 0)), vec{});
}

TEST(Structure, NormsOfNaNAndFloats) {
  const double nan = std::nan("");
  const auto A = from_triplets<double>({2, 2}, {0, 0, 1}, {0, 1, 0}, {nan, 9, -1});
  const auto most = row_norms(A, reduction::norm_max);
  EXPECT_TRUE(std::isnan(most[0]));
  EXPECT_EQ(most[1], 1);
  const auto F = from_triplets<float>({1, 2}, {0, 0}, {0, 1}, {3.0f, 4.0f});
  EXPECT_EQ(row_norms(F), (std::vector<float>{5}));
}

TEST(Structure, ScaledRowsAndColumns) {
  const auto A = small();
  EXPECT_EQ(to_dense(scale_rows(A, vec{2, 7, -1}))(2, 2), -5);
  EXPECT_EQ(to_dense(scale_columns(A, vec{2, 7, -1, 0}))(0, 2), 2);
  EXPECT_EQ(scale_columns(A, vec{2, 7, -1, 0}).nnz(), 5);  // structure stays
  EXPECT_THROW(scale_rows(A, vec{1, 2}), error);
  EXPECT_THROW(scale_columns(A, vec{1, 2, 3}), error);
  EXPECT_THROW(scale_rows(A, A), error);
  const auto L = large();
  const auto d = row_sums(L);
  for (const auto& where : contexts()) {
    const auto S = scale_rows(where, transposed(L), column_sums(transposed(L)));
    EXPECT_TRUE(same(S, transpose(scale_columns(L, d))));
  }
}

TEST(Structure, Triangles) {
  const auto A = small();
  EXPECT_EQ(table_of(tril(A)), (table{{{0, 0}, 1}, {{2, 1}, 3}, {{2, 2}, 5}}));
  EXPECT_EQ(table_of(tril(A, -1)), (table{{{2, 1}, 3}}));
  EXPECT_EQ(table_of(triu(A, 1)), (table{{{0, 2}, -2}, {{2, 3}, 4}}));
  const auto L = large();
  for (const auto& where : contexts()) {
    EXPECT_TRUE(same(add(where, tril(where, L, -1), triu(where, L)), sum_duplicates(L)));
    EXPECT_TRUE(same(triu(where, transposed(L)), transpose(tril(where, L))));
  }
}

TEST(Structure, SelectedByAPredicate) {
  const auto A = small();
  EXPECT_EQ(table_of(select(A, [](auto i, auto j, auto v) { return i + j == 2 || v > 4; })),
            (table{{{0, 2}, -2}, {{2, 2}, 5}}));
  const auto L = large();
  table wanted;
  for (const auto [i, j, v] : L)
    if (v > 0.5 && (i + j) % 3 == 0) wanted[{i, j}] += v;
  for (const auto& where : contexts())
    EXPECT_EQ(
        table_of(select(
            where, L, [](index_t i, index_t j, double v) { return v > 0.5 && (i + j) % 3 == 0; })),
        wanted);
}

TEST(Structure, RangesOfRowsBorrow) {
  const auto L = large();
  const vec x(static_cast<std::size_t>(L.cols()), 1);
  const auto y = multiply(context::openmp(2), L, x);
  for (const auto& [first, last] :
       {std::pair<index_t, index_t>{0, 100}, {17, 300}, {300, L.rows()}, {5, 5}}) {
    const auto part = slice_rows(L, first, last);
    EXPECT_EQ(part.rows(), last - first);
    EXPECT_NO_THROW(validate(part));
    const auto z = multiply(context::openmp(2), part, x);
    EXPECT_TRUE(std::equal(z.begin(), z.end(), y.begin() + first));
    if (part.nnz() == 0) continue;
    EXPECT_EQ(part.view().values, L.view().values + L.row_offsets()[first]);  // nothing was copied
    const auto nested = slice_rows(part.view(), 0, part.rows());
    EXPECT_EQ(nested.view().offsets.data(), part.view().offsets.data());
  }
  EXPECT_THROW(slice_rows(L, -1, 2), error);
  EXPECT_THROW(slice_rows(L, 3, 2), error);
  EXPECT_THROW(slice_rows(L, 0, L.rows() + 1), error);
}

TEST(Structure, SubMatricesByLists) {
  const auto A = small();
  const auto S = submatrix(A, std::vector<int>{2, 0, 2}, std::vector<long long>{2, 3});
  EXPECT_EQ(S.shape(), (extents{3, 2}));
  EXPECT_EQ(table_of(S), (table{{{0, 0}, 5}, {{0, 1}, 4}, {{1, 0}, -2}, {{2, 0}, 5}, {{2, 1}, 4}}));
  EXPECT_THROW(submatrix(A, std::vector<int>{3}, std::vector<int>{0}), error);
  EXPECT_THROW(submatrix(A, std::vector<int>{0}, std::vector<int>{4}), error);
  EXPECT_THROW(submatrix(A, std::vector<int>{0}, std::vector<int>{1, 1}), error);
  EXPECT_EQ(submatrix(A, std::vector<int>{}, std::vector<int>{}).shape(), (extents{0, 0}));
  EXPECT_EQ(
      submatrix(csr_matrix<double>({2, 0}, 0), std::vector<int>{1}, std::vector<int>{}).shape(),
      (extents{1, 0}));
}

TEST(Structure, Permutations) {
  const auto L = large();
  std::vector<int> order(static_cast<std::size_t>(L.rows())), inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<int>((i * 7 + 3) % order.size());
    inverse[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  }
  for (const auto& where : contexts()) {
    const auto P = permute(where, L, order);
    EXPECT_EQ(P(5, 11), L(order[5], order[11]));
    EXPECT_TRUE(same(permute(where, P, inverse), sort_columns(L)));
    EXPECT_TRUE(same(permute_rows(where, permute_rows(where, L, order), inverse), L));
    const auto Q = sort_columns(where, permute_columns(where, L, order));
    EXPECT_EQ(Q(3, 8), L(3, order[8]));
  }
}

TEST(Structure, Kronecker) {
  const auto A = from_triplets<double>({2, 2}, {0, 1}, {1, 0}, {2, 3});
  const auto K = kron(A, small());
  EXPECT_EQ(K.shape(), (extents{6, 8}));
  EXPECT_EQ(K.nnz(), 10);
  EXPECT_EQ(K(2, 6), 10);
  EXPECT_EQ(K(5, 3), 12);
  // (A x B) (x x y) = (A x) x (B y)
  const auto B = small();
  const vec x{1, 2}, y{1, -1, 2, 3};
  vec both;
  for (const double a : x)
    for (const double b : y) both.push_back(a * b);
  const auto left = multiply(context::openmp(1), A, x), right = multiply(context::openmp(1), B, y);
  vec wanted;
  for (const double a : left)
    for (const double b : right) wanted.push_back(a * b);
  for (const auto& where : contexts()) EXPECT_EQ(multiply(where, kron(where, A, B), both), wanted);
  EXPECT_THROW(kron(csr_matrix<double>({index_t{1} << 40, 1}, 0),
                    csr_matrix<double>({index_t{1} << 40, 1}, 0)),
               error);
}

TEST(Structure, ConversionsTakeOwnersWithoutAContext) {
  const auto A = small();
  EXPECT_EQ(transpose(A)(2, 0), -2);
  EXPECT_TRUE(same(transpose(transpose(A)), A));
  EXPECT_TRUE(same(sum_duplicates(A), A));
  EXPECT_TRUE(same(sort_columns(A), A));
  EXPECT_EQ(keep(A, {.largest = 1}).nnz(), 2);
  EXPECT_EQ(drop_zeros(scaled(0.0, A)).nnz(), 0);
  EXPECT_EQ(symmetrise(submatrix(A, std::vector<int>{0, 2}, std::vector<int>{0, 2}))(1, 0), -1);
  EXPECT_EQ(add(A, scaled(-1.0, A))(0, 0), 0);
  const auto E = convert<ell_matrix<double>>(A);
  EXPECT_TRUE(same(transpose(E), transpose(A)));
  EXPECT_TRUE(same(keep(E, {.magnitude = 3}), keep(A, {.magnitude = 3})));
}

}  // namespace
}  // namespace gossamer
