// Products of complex values by hand: conjugates of every operand, plans, and what is refused.
#include <gtest/gtest.h>

#include <limits>

#include "expect_error.hpp"
#include "gossamer/gossamer.hpp"
#include "gossamer/over_semiring.hpp"

namespace gossamer {

namespace {

using c128 = std::complex<double>;
using namespace std::complex_literals;

/// [1+i 2; 0 -i]
csr_matrix<c128> small() {
  return from_triplets<c128>({2, 2}, std::vector{0, 0, 1}, std::vector{0, 1, 1},
                             std::vector<c128>{1.0 + 1i, 2, -1i});
}

std::vector<context> contexts() { return {context::reference(), context::openmp(2)}; }

}  // namespace

TEST(ComplexProducts, VectorsByHand) {
  const auto a = small();
  const std::vector<c128> x{1i, 2.0 - 1i};
  for (const auto& where : contexts()) {
    EXPECT_EQ(multiply(where, a, x), (std::vector<c128>{3.0 - 1i, -1.0 - 2i}));
    EXPECT_EQ(multiply(where, transposed(a), x), (std::vector<c128>{-1.0 + 1i, -1.0}));
    EXPECT_EQ(multiply(where, conjugated(a), x), (std::vector<c128>{5.0 - 1i, 1.0 + 2i}));
    EXPECT_EQ(multiply(where, conjugate_transposed(a), x), (std::vector<c128>{1.0 + 1i, 1.0 + 4i}));
    EXPECT_EQ(multiply(where, conjugated(scaled(1i, a)), x),
              multiply(where, scaled(-1i, conjugated(a)), x));
  }
}

TEST(ComplexProducts, ConjugatesOfVectorsAndAddends) {
  const auto a = small();
  const std::vector<c128> x{1i, 2.0 - 1i}, z{1.0 + 1i, 3i};
  for (const auto& where : contexts()) {
    std::vector<c128> y(2);
    multiply(where, a, conjugated(x), y);  // x* = (-i, 2 + i)
    EXPECT_EQ(y, (std::vector<c128>{5.0 + 1i, 1.0 - 2i}));
    multiply(where, a, x, conjugated(z), y);
    EXPECT_EQ(y, (std::vector<c128>{4.0 - 2i, -1.0 - 5i}));
    multiply(where, a, x, scaled(2i, y), y);
    EXPECT_EQ(y, (std::vector<c128>{7.0 + 7i, 9.0 - 4i}));
    expect_error([&] { multiply(where, a, x, conjugated(y), y); },
                 {error_kind::bad_argument, {"conjugate y first"}});
  }
}

TEST(ComplexProducts, BlocksAndDenseTimesSparse) {
  const auto a = small();
  dense_matrix<c128> b(2, 3), c(2, 3), left(3, 2), d(3, 2);
  for (index_t j = 0; j < 3; ++j) {
    b(0, j) = left(j, 0) = 1i;
    b(1, j) = left(j, 1) = 2.0 - 1i;
  }
  for (const auto& where : contexts()) {
    multiply(where, conjugate_transposed(a), b, c);
    multiply(where, left, conjugated(a), d);
    for (index_t j = 0; j < 3; ++j) {
      EXPECT_EQ(c(0, j), 1.0 + 1i);
      EXPECT_EQ(c(1, j), 1.0 + 4i);
      EXPECT_EQ(d(j, 0), 1i * (1.0 - 1i));
      EXPECT_EQ(d(j, 1), 2i + (2.0 - 1i) * 1i);
    }
  }
}

TEST(ComplexProducts, SparseByHand) {
  const auto a = small();
  for (const auto& where : contexts()) {
    const auto square = multiply(where, a, a);
    EXPECT_EQ(value_at(square, 0, 0), 2i);
    EXPECT_EQ(value_at(square, 0, 1), 2.0);
    EXPECT_EQ(value_at(square, 1, 1), c128(-1));
    const auto gram = multiply(where, conjugate_transposed(a), a);
    EXPECT_EQ(value_at(gram, 0, 0), c128(2));
    EXPECT_EQ(value_at(gram, 0, 1), 2.0 - 2i);
    EXPECT_EQ(value_at(gram, 1, 0), 2.0 + 2i);
    EXPECT_EQ(value_at(gram, 1, 1), c128(5));
    const auto right = multiply(where, a, scaled(1i, conjugated(a)));
    EXPECT_EQ(value_at(right, 0, 0), 2i);
    const auto sum = multiply(where, a, a, conjugated(a));
    EXPECT_EQ(value_at(sum, 0, 0), 1.0 + 1i);
  }
}

TEST(ComplexProducts, PlansTakeBothSignsOfA) {
  const auto a = small();
  const std::vector<c128> x{1i, 2.0 - 1i};
  std::vector<c128> y(2);
  const context cpu = context::openmp(1);
  const plan p = multiply_inspect(cpu, a, x, y, {.expected_calls = 100});
  EXPECT_EQ(p.kernel(), "spmv/csr/rows/openmp");
  multiply(p, a, x, y);
  EXPECT_EQ(y, (std::vector<c128>{3.0 - 1i, -1.0 - 2i}));
  multiply(p, conjugated(a), x, y);
  EXPECT_EQ(y, (std::vector<c128>{5.0 - 1i, 1.0 + 2i}));
  const plan q = multiply_compute(cpu, a, a);
  csr_matrix<c128> c(q.result_shape(), q.result_nnz());
  multiply_fill(q, conjugated(a), a, c);
  EXPECT_EQ(value_at(c, 0, 0), c128(2));
}

TEST(ComplexProducts, ChoiceSaysWhichKernelsTakeThem) {
  const auto a = small();
  std::vector<c128> x(2), y(2);
  const auto why = multiply_inspect(context::openmp(1), a, x, y).explain().text();
  EXPECT_NE(why.find("takes f32 and f64"), why.npos) << why;
  expect_error([&] { multiply(context::openmp(1), a, x, y, {.algorithm = "sell"}); },
               {error_kind::not_available, {"takes f32 and f64"}});
  const auto real = from_triplets<double>({1, 1}, std::vector{0}, std::vector{0}, std::vector{1.0});
  expect_error(
      [&] { multiply(context::openmp(1), real, real, {.algorithm = "spgemm/csr/rows/openmp"}); },
      {error_kind::not_available, {"takes c64 and c128"}});
}

TEST(ComplexProducts, SemiringsAndOtherTypesAreRefused) {
  const auto a = small();
  for (const auto over :
       {semiring::min_plus, semiring::max_plus, semiring::or_and, semiring::plus_pair})
    expect_error([&] { multiply(context::openmp(1), a, a, {.semiring = over}); },
                 {error_kind::bad_argument, {"complex", "plus_times"}});
  const std::vector<double> x(2);
  std::vector<c128> y(2);
  expect_error([&] { multiply(context::openmp(1), a, x, y); },
               {error_kind::bad_argument, {"c128", "f64"}});
}

TEST(ComplexProducts, MasksAndTripleProducts) {
  const auto a = small();
  const auto wanted = from_triplets<c128>({2, 2}, {0}, {0}, {c128(1)});
  const auto mask = pattern_of(wanted.view());
  const context cpu = context::openmp(2);
  const auto gram = multiply(cpu, conjugate_transposed(a), a, {.mask = mask});
  EXPECT_EQ(gram.nnz(), 1);
  EXPECT_EQ(value_at(gram, 0, 0), c128(2));
  dense_matrix<c128> b(2, 2), c(2, 2);
  b(0, 0) = 1i, b(1, 0) = 2.0 - 1i;
  c(1, 1) = 7;
  multiply(cpu, conjugated(a), b, c, {.mask = mask});
  EXPECT_EQ(c(0, 0), 5.0 - 1i);
  EXPECT_EQ(c(1, 1), c128(7));  // outside the mask
  expect_error([&] { multiply(cpu, a, conjugated(b), c, {.mask = mask}); },
               {error_kind::bad_argument, {"conjugated", "mask"}});
  expect_error([&] { multiply(cpu, a, b, c, {.semiring = semiring::min_plus}); },
               {error_kind::bad_argument, {"complex", "plus_times"}});
  const auto triple = triple_product(cpu, conjugate_transposed(a), a, a);
  EXPECT_EQ(value_at(triple, 0, 0), 2.0 * (1.0 + 1i));
  const auto own = multiply_over<semirings::plus_times<c128>>(cpu, conjugate_transposed(a), a);
  EXPECT_TRUE(same(own, multiply(cpu, conjugate_transposed(a), a)));
}

TEST(ComplexProducts, ProductsAreTheTextbookFormula) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto a =
      from_triplets<c128>({1, 1}, std::vector{0}, std::vector{0}, std::vector<c128>{{inf, 0}});
  for (const auto& where : contexts()) {
    const auto y = multiply(where, a, std::vector<c128>{{1, 0}});  // inf * 0 is NaN, as in NumPy
    EXPECT_TRUE(std::isnan(y[0].imag()));
  }
}

}  // namespace gossamer
