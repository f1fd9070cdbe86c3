// Conveniences of products: three matrices, dense results over semirings, semirings of the caller,
// vectors of any kind.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "expect_error.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/over_semiring.hpp"
#include "small.hpp"

namespace gossamer {
namespace {

using vec = std::vector<double>;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr auto bad_argument = error_kind::bad_argument;

csr_matrix<double> random_matrix(index_t rows, index_t cols, index_t nnz) {
  std::vector<int> i, j;
  vec v;
  for (index_t k = 0; k < nnz; ++k) {
    i.push_back(static_cast<int>(k * 7919 % rows));
    j.push_back(static_cast<int>((k * 104729 + k / 3) % cols));
    v.push_back(static_cast<double>(k % 17) - 8);
  }
  return from_triplets({rows, cols}, i, j, v);
}

TEST(TripleProduct, ChoosesTheCheaperAssociation) {
  const auto cpu = context::openmp(2);
  const auto tall = random_matrix(400, 3, 1200), wide = random_matrix(3, 400, 1200),
             thin = random_matrix(400, 3, 1200);
  triple_choice why;
  const auto left = triple_product(cpu, wide, tall, wide, {}, &why);  // (3 x 3) first
  EXPECT_TRUE(why.left_first);
  EXPECT_LT(why.left_work, why.right_work);
  EXPECT_TRUE(allclose(left, multiply(cpu, multiply(cpu, wide, tall), wide)));
  const auto right = triple_product(cpu, tall, wide, thin, {}, &why);
  EXPECT_FALSE(why.left_first);
  EXPECT_GT(why.left_work, why.right_work);
  EXPECT_TRUE(allclose(right, multiply(cpu, tall, multiply(cpu, wide, thin))));
}

TEST(TripleProduct, ScalesTranspositionsAndFilters) {
  const auto cpu = context::openmp(2);
  const auto A = random_matrix(60, 60, 300), P = random_matrix(60, 12, 60);
  const auto C = triple_product(cpu, transposed(P), scaled(2.0, A), P);
  EXPECT_TRUE(allclose(C, scaled(2.0, multiply(cpu, multiply(cpu, transposed(P), A), P))));
  const auto top = triple_product(cpu, transposed(P), A, P, {.keep = {.largest = 2}});
  for (index_t i = 0; i < top.rows(); ++i)
    EXPECT_LE(top.row_offsets()[i + 1] - top.row_offsets()[i], 2);
  expect_error([&] { triple_product(cpu, A, P, A); },
               {bad_argument, {"B is 60 x 12", "C is 60 x 60"}});
  expect_error([&] { triple_product(cpu, P, A, P); }, {bad_argument, {"A is 60 x 12"}});
  expect_error([&] { triple_product(cpu, A, vec(60), P); }, {bad_argument, {"B", "sparse"}});
}

TEST(DenseSemirings, ByHand) {
  const auto cpu = context::openmp(2);
  const small_matrix m;  // 1 0 2 0 | 0 0 0 0 | 0 3 0 4
  const vec x{5, 1, 2, 0};
  vec y(3);
  multiply(cpu, m.view(), x, y, {.semiring = semiring::min_plus});
  EXPECT_EQ(y, (vec{4, inf, 4}));
  multiply(cpu, m.view(), x, y, {.semiring = semiring::max_times});
  EXPECT_EQ(y, (vec{5, -inf, 3}));
  multiply(cpu, m.view(), x, y, {.semiring = semiring::plus_pair});
  EXPECT_EQ(y, (vec{2, 0, 2}));
  multiply(cpu, m.view(), x, y, {.semiring = semiring::any_pair});
  EXPECT_EQ(y, (vec{1, 0, 1}));
  multiply(cpu, m.view(), x, y, {.semiring = semiring::max_min});
  EXPECT_EQ(y, (vec{2, -inf, 1}));
  multiply(cpu, m.view(), x, y, {.semiring = semiring::min_second});
  EXPECT_EQ(y, (vec{2, inf, 0}));
  vec z(4);
  multiply(cpu, transposed(m.view()), vec{1, 2, 3}, z, {.semiring = semiring::plus_first});
  EXPECT_EQ(z, (vec{1, 3, 2, 4}));
  EXPECT_EQ(multiply(cpu, m.view(), x, {.semiring = semiring::or_and}), (vec{1, 0, 1}));
}

TEST(DenseSemirings, AddendsBlocksAndFormats) {
  const auto cpu = context::openmp(2);
  const small_matrix m;
  const vec x{5, 1, 2, 0}, before{1, 7, 9};
  vec y(3);
  multiply(cpu, m.view(), x, before, y, {.semiring = semiring::min_plus});
  EXPECT_EQ(y, (vec{1, 7, 4}));
  multiply(cpu, convert<ell_matrix<double>>(m.view()), x, y, {.semiring = semiring::min_plus});
  EXPECT_EQ(y, (vec{4, inf, 4}));
  dense_matrix<double> b(4, 2), c(3, 2);
  for (index_t i = 0; i < 4; ++i) b(i, 0) = x[static_cast<std::size_t>(i)], b(i, 1) = 1;
  multiply(cpu, m.view(), b, c, {.semiring = semiring::max_plus});
  EXPECT_EQ(c(0, 0), 6);
  EXPECT_EQ(c(2, 1), 5);
  EXPECT_EQ(c(1, 1), -inf);
}

TEST(DenseSemirings, MasksSayWhatIsWritten) {
  const auto cpu = context::openmp(2);
  const small_matrix m;
  const vec x(4, 1);
  const auto mask = from_triplets<double>({3, 1}, {0}, {0}, {1});
  vec y{9, 9, 9};
  multiply(cpu, m.view(), x, y, {.mask = pattern_of(mask)});
  EXPECT_EQ(y, (vec{3, 9, 9}));
  multiply(cpu, m.view(), x, y,
           {.semiring = semiring::plus_pair, .mask = complement(pattern_of(mask))});
  EXPECT_EQ(y, (vec{3, 0, 2}));
  const auto wrong = from_triplets<double>({4, 1}, {0}, {0}, {1});
  expect_error([&] { multiply(cpu, m.view(), x, y, {.mask = pattern_of(wrong)}); },
               {bad_argument, {"mask is 4 x 1"}});
}

TEST(DenseSemirings, Refusals) {
  const auto cpu = context::openmp(2);
  const small_matrix m;
  const options over{.semiring = semiring::min_plus};
  vec x(4), y(3);
  expect_error([&] { multiply(cpu, scaled(2.0, m.view()), x, y, over); },
               {bad_argument, {"scaled", "min_plus"}});
  expect_error([&] { multiply(cpu, m.view(), scaled(2.0, x), y, over); },
               {bad_argument, {"scaled"}});
  expect_error([&] { multiply(cpu, m.view(), y, x, over); }, {bad_argument, {"A is 3 x 4"}});
  expect_error([&] { multiply(cpu, m.view(), x, x, over); }, {bad_argument, {"4 x 1"}});
  expect_error([&] { multiply_inspect(cpu, m.view(), x, y, over); },
               {bad_argument, {"semiring", "plan"}});
  expect_error(
      [&] {
        multiply(cpu, m.view(), x, y, {.semiring = semiring::min_plus, .keep = {.largest = 1}});
      },
      {bad_argument, {"filter"}});
  const csr_matrix<double> square({3, 3}, 0);
  expect_error([&] { multiply(cpu, square, y, y, over); }, {bad_argument, {"overlaps"}});
}

/// Adds by xor of counts modulo 2: arithmetic of GF(2), as values 0 and 1.
struct parity {
  static double identity() { return 0; }
  static double multiply(double a, double b) { return a * b; }
  static void add(double& sum, double term) { sum = std::fmod(sum + term, 2); }
};

TEST(OwnSemirings, SparseAndDense) {
  const auto ones = select(random_matrix(80, 80, 500), [](auto, auto, auto) { return true; });
  auto A = ones;
  std::fill(A.values().begin(), A.values().end(), 1.0);
  const auto counts = multiply(context::openmp(1), A, A);
  for (const int threads : {1, 4}) {
    const auto cpu = context::openmp(threads);
    const auto C = multiply_over<parity>(cpu, A, A);
    ASSERT_EQ(C.nnz(), counts.nnz());
    for (const auto [i, j, v] : C) EXPECT_EQ(v, std::fmod(counts(i, j), 2)) << i << ' ' << j;
    const auto masked = multiply_over<parity>(cpu, A, A, pattern_of(A));
    EXPECT_TRUE(same(
        masked, multiply_over<semirings::plus_times<double>>(cpu, masked, identity<double>(80))));
    EXPECT_LE(masked.nnz(), A.nnz());
    const auto y = multiply_over<parity>(cpu, A, vec(80, 1));
    const auto lengths = row_sums(A);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], std::fmod(lengths[i], 2));
  }
  EXPECT_TRUE(
      same(multiply_over<semirings::min_plus<double>>(context::openmp(2), ones, transposed(ones)),
           multiply(context::openmp(2), ones, transposed(ones), {.semiring = semiring::min_plus})));
  EXPECT_THROW(multiply_over<parity>(context::openmp(1), A, vec(7)), error);
  EXPECT_THROW(multiply_over<parity>(context::openmp(1), A, csr_matrix<double>({3, 3}, 0)), error);
}

/// A vector of another library: data() and size(), no iterators.
struct plain_vector {
  double elements[4] = {1, 1, 1, 1};
  double* data() { return elements; }
  const double* data() const { return elements; }
  int size() const { return size_; }
  int size_ = 4;
};

TEST(AnyVector, WithDataAndSize) {
  const auto cpu = context::openmp(2);
  const small_matrix m;
  const plain_vector x;
  plain_vector y;
  y.size_ = 3;
  multiply(cpu, m.view(), x, y);
  EXPECT_EQ(y.elements[2], 7);
  EXPECT_EQ(multiply(cpu, m.view(), x), (vec{3, 0, 7}));
  multiply(cpu, scaled(2.0, m.view()), scaled(0.5, x), y, y);
  EXPECT_EQ(y.elements[2], 14);
}

TEST(AnyVector, IndicesOfAnySignedInteger) {
  const std::vector<long long> offsets{0, 2, 2, 4};
  const std::vector<long> columns{0, 2, 1, 3};
  const vec values{1, 2, 3, 4};
  const csr_view<const double> V(values, offsets, columns, {3, 4});
  EXPECT_EQ(multiply(context::openmp(2), V, vec(4, 1)), (vec{3, 0, 7}));
  const csr_view<const double> P(values.data(), offsets.data(), columns.data(), {3, 4});
  EXPECT_TRUE(same(P, V));
  const std::vector<int> narrow{0, 2, 1, 3};
  EXPECT_TRUE(same(csr_view<const double>(values, offsets, narrow, {3, 4}), V));
  const csc_view<const double> T(values, offsets, std::span(columns), {4, 3});
  EXPECT_TRUE(same(transposed(T), V));
  auto own = from_csr({3, 4}, std::vector<long long>(offsets), std::vector<long long>{0, 2, 1, 3},
                      vec(values));
  EXPECT_TRUE(same(own, V));
}

TEST(Looking, RangesElementsAndPictures) {
  const small_matrix m;
  const auto A = convert<csr_matrix<double>>(m.view());
  double sum = 0;
  for (const auto [i, j, v] : A) sum += v * static_cast<double>(10 * i + j);
  EXPECT_EQ(sum, 1 * 0 + 2 * 2 + 3 * 21 + 4 * 23);
  for (const auto [i, j, v] : m.view()) sum -= v * static_cast<double>(10 * i + j);
  for (const auto [i, j, v] : convert<csc_matrix<double>>(A))
    sum += 0 * v * static_cast<double>(i + j);
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(A(2, 3), 4);
  EXPECT_EQ(A(1, 3), 0);
  EXPECT_EQ(convert<sellp_matrix<double>>(A)(0, 2), 2);
  EXPECT_EQ(convert<hyb_matrix<double>>(A)(2, 1), 3);
  EXPECT_EQ(convert<csc_matrix<double>>(A)(2, 1), 3);
  EXPECT_EQ(convert<coo_matrix<double>>(A)(2, 1), 3);
  EXPECT_EQ(convert<ell_matrix<double>>(A)(2, 1), 3);
  EXPECT_THROW(A(3, 0), error);
  EXPECT_EQ(spy(A, {.unicode = false}), "# # \n    \n # #\n");
  EXPECT_EQ(spy(transposed(A), {.unicode = false}), "#  \n  #\n#  \n  #\n");
  EXPECT_EQ(spy(A), "\u2821\u2821\n");
  const auto I = identity<double>(1000);
  const auto picture = spy(I, {.width = 10, .height = 5});
  EXPECT_EQ(std::count(picture.begin(), picture.end(), '\n'), 5);
  EXPECT_EQ(spy(I, {.width = 3, .height = 3, .unicode = false}), ".  \n . \n  .\n");
  EXPECT_EQ(spy(csr_matrix<double>()), "");
  EXPECT_THROW(spy(A, {.width = 0}), error);
}

}  // namespace
}  // namespace gossamer
