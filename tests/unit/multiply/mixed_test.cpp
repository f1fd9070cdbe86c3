// A matrix of float and vectors of double, a real matrix and complex vectors: as if the matrix had
// been converted, up to the order of a sum.
#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "gossamer/gossamer.hpp"

namespace gossamer {

namespace {

template <class A, class V>
struct pair_of_types {
  using matrix = A;
  using vector = V;
};

template <class Pair>
class MixedProducts : public testing::Test {};
using c64 = std::complex<float>;
using c128 = std::complex<double>;
using pairs = testing::Types<pair_of_types<float, double>, pair_of_types<float, c64>,
                             pair_of_types<float, c128>, pair_of_types<double, c128>,
                             pair_of_types<c64, c128>>;
TYPED_TEST_SUITE(MixedProducts, pairs);

/// Small whole numbers, so that every sum is exact.
template <class T>
T number(index_t k) {
  const auto part = [](index_t i) { return static_cast<real_of<T>>(i % 7 - 3); };
  if constexpr (complex_scalar<T>)
    return {part(k), part(3 * k + 1)};
  else
    return part(k);
}

template <class T>
csr_matrix<T> matrix(extents shape) {
  std::vector<index_t> rows, columns;
  std::vector<T> values;
  for (index_t k = 0; k < 4 * shape.rows; ++k) {
    rows.push_back(k * 5 % shape.rows);
    columns.push_back((k * 7 + k / 3) % shape.cols);
    values.push_back(number<T>(k));
  }
  return from_triplets(shape, rows, columns, values);
}

template <class T>
dense_matrix<T> block(index_t rows, index_t cols, layout order) {
  dense_matrix<T> made(rows, cols, order);
  index_t k = 5;
  for (T& value : made.values()) value = number<T>(k++);
  return made;
}

}  // namespace

TYPED_TEST(MixedProducts, EqualThoseOfTheConvertedMatrix) {
  using S = typename TypeParam::matrix;
  using T = typename TypeParam::vector;
  const auto a = matrix<S>({30, 20});
  const auto wide = convert<csr_matrix<T>>(a);
  const context cpu = context::openmp(3);
  for (const auto order : {layout::row_major, layout::column_major})
    for (const index_t columns : {1, 3, 8, 19}) {
      const auto x = block<T>(20, columns, order), u = block<T>(30, columns, order);
      dense_matrix<T> found(30, columns, order), wanted(30, columns, order);
      multiply(cpu, a, x, found);
      multiply(cpu, wide, x, wanted);
      EXPECT_TRUE(same(found, wanted));
      multiply(cpu, scaled(S{2}, a), scaled(T{3}, x), scaled(T{2}, found), found);
      multiply(cpu, scaled(T{2}, wide), scaled(T{3}, x), scaled(T{2}, wanted), wanted);
      EXPECT_TRUE(same(found, wanted));
      dense_matrix<T> turned(20, columns, order), turned_wanted(20, columns, order);
      multiply(cpu, conjugate_transposed(a), conjugated(u), turned);
      multiply(cpu, conjugate_transposed(wide), conjugated(u), turned_wanted);
      EXPECT_TRUE(same(turned, turned_wanted));
    }
}

TYPED_TEST(MixedProducts, TakeEveryFormat) {
  using S = typename TypeParam::matrix;
  using T = typename TypeParam::vector;
  const auto a = matrix<S>({30, 20});
  const context cpu = context::reference();
  std::vector<T> x(20, number<T>(2)), wanted(30), found(30);
  multiply(cpu, a, x, wanted);
  const auto check = [&](const auto& b) {
    multiply(cpu, b, x, found);
    EXPECT_EQ(found, wanted);
  };
  check(convert<csc_matrix<S>>(a));
  check(convert<coo_matrix<S>>(a));
  check(convert<ell_matrix<S>>(a));
  check(convert<sellp_matrix<S>>(a));
  check(convert<hyb_matrix<S>>(a));
}

TEST(MixedPrecision, SumsAreOfTheWiderType) {
  const auto a = from_triplets<float>({1, 2}, {0, 0}, {0, 1}, {1.0F, 1.0F});
  const std::vector<double> x{1, 1e-12};
  std::vector<double> y(1, 5);
  multiply(context::openmp(1), a, x, y);
  EXPECT_EQ(y[0], 1 + 1e-12);
  EXPECT_EQ(multiply(context::openmp(1), a, x), y);
  multiply(context::openmp(1), scaled(0.0F, a), x, scaled(2.0, y), y);  // alpha = 0 reads nothing
  EXPECT_EQ(y[0], 2 * (1 + 1e-12));
}

TEST(MixedPrecision, WhatIsRefused) {
  const context cpu = context::openmp(1);
  const auto narrow = matrix<float>({4, 4});
  const auto wide = matrix<double>({4, 4});
  std::vector<double> x(4), y(4);
  std::vector<float> small(4);
  expect_error([&] { multiply(cpu, wide, small, small); },
               {error_kind::bad_argument, {"f64", "f32"}});
  expect_error([&] { multiply(cpu, narrow, small, y); },
               {error_kind::bad_argument, {"f64", "f32"}});
  expect_error([&] { multiply(cpu, narrow, x, y, {.algorithm = "rows"}); },
               {error_kind::not_available, {"rows", "narrower"}});
  expect_error([&] { multiply(cpu, narrow, x, x); }, {error_kind::bad_argument, {"overlaps"}});
  expect_error([&] { multiply(cpu, narrow, std::vector<double>(5), y); },
               {error_kind::bad_argument, {"4 x 4"}});
  expect_error([&] { multiply_inspect(cpu, narrow, x, y); },
               {error_kind::bad_argument, {"f32", "f64"}});
}

}  // namespace gossamer
