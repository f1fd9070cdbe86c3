// C = B A with a dense B on the left: the transposed product over the same arrays.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "expect_error.hpp"
#include "small.hpp"

namespace gossamer {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// [ 1 10 100 ]
/// [ 2 20 200 ]
dense_matrix<double> left(layout order = layout::row_major) {
  dense_matrix<double> b(2, 3, order);
  for (index_t i = 0; i < 2; ++i)
    for (index_t j = 0; j < 3; ++j)
      b(i, j) = static_cast<double>(i + 1) * (j == 0 ? 1 : j == 1 ? 10 : 100);
  return b;
}

std::vector<double> by_rows(const dense_matrix<double>& c) {
  std::vector<double> all;
  for (index_t i = 0; i < c.rows(); ++i)
    for (index_t j = 0; j < c.cols(); ++j) all.push_back(c(i, j));
  return all;
}

dense_matrix<double> filled(index_t rows, index_t cols, double value,
                            layout order = layout::row_major) {
  dense_matrix<double> c(rows, cols, order);
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < cols; ++j) c(i, j) = value;
  return c;
}

const std::vector<double> by_hand{1, 300, 2, 400, 2, 600, 4, 800};  // B A

TEST(DenseTimesSparse, ByHandInEveryLayout) {
  const small_matrix m;
  for (const auto& where : {context::reference(), context::openmp(2)})
    for (const auto b_order : {layout::row_major, layout::column_major})
      for (const auto c_order : {layout::row_major, layout::column_major}) {
        auto c = filled(2, 4, nan, c_order);
        multiply(where, left(b_order), m.view(), c);
        EXPECT_EQ(by_rows(c), by_hand);
      }
}

TEST(DenseTimesSparse, EveryFormat) {
  const small_matrix m;
  const auto check = [&](const auto& a) {
    auto c = filled(2, 4, nan);
    multiply(context::openmp(2), left(), a, c);
    EXPECT_EQ(by_rows(c), by_hand);
  };
  check(convert<csc_matrix<double>>(m.view()));
  check(convert<coo_matrix<double>>(m.view()));
  check(convert<ell_matrix<double>>(m.view(), {.padding_limit = 0}));
  check(convert<sellp_matrix<double>>(m.view()));
  check(convert<hyb_matrix<double>>(m.view()));
}

TEST(DenseTimesSparse, ScaledTransposedAndAdded) {
  const small_matrix m;
  dense_matrix<double> b(2, 4);  // times A', which is 4 x 3
  for (index_t j = 0; j < 4; ++j) b(0, j) = 1, b(1, j) = static_cast<double>(j);
  auto c = filled(2, 3, 1);
  multiply(context::openmp(2), scaled(3.0, b), scaled(2.0, transposed(m.view())), scaled(-1.0, c),
           c);
  EXPECT_EQ(by_rows(c), (std::vector<double>{17, -1, 41, 23, -1, 89}));
  // B may be transposed, and the addend another block.
  dense_matrix<double> turned(3, 2);
  for (index_t j = 0; j < 3; ++j) turned(j, 0) = left()(0, j), turned(j, 1) = left()(1, j);
  const auto z = filled(2, 4, 1000);
  auto d = filled(2, 4, nan);
  multiply(context::openmp(2), transposed(turned), m.view(), z, d);
  EXPECT_EQ(by_rows(d), (std::vector<double>{1001, 1300, 1002, 1400, 1002, 1600, 1004, 1800}));
}

TEST(DenseTimesSparse, ARowVector) {
  const small_matrix m;
  dense_matrix<double> row(1, 3), result(1, 4);
  row(0, 0) = 1, row(0, 1) = 10, row(0, 2) = 100;
  multiply(context::openmp(2), row, m.view(), result);
  EXPECT_EQ(by_rows(result), (std::vector<double>{1, 300, 2, 400}));
}

TEST(DenseTimesSparse, Plans) {
  small_matrix m;
  auto c = filled(2, 4, nan);
  const auto b = left();
  const plan prepared = multiply_inspect(context::openmp(2), b, m.view(), c);
  EXPECT_EQ(prepared.result_shape(), (extents{2, 4}));
  multiply(prepared, b, m.view(), c);
  EXPECT_EQ(by_rows(c), by_hand);
  m.values[0] = 11;
  multiply(prepared, b, m.view(), c);
  EXPECT_EQ(c(0, 0), 11);
  EXPECT_EQ(c(1, 0), 22);
}

TEST(DenseTimesSparse, NothingToMultiply) {
  const small_matrix m;
  auto c = filled(2, 4, nan);
  multiply(context::openmp(1), scaled(0.0, left()), m.view(), c);
  EXPECT_EQ(by_rows(c), std::vector<double>(8, 0.0));
  dense_matrix<double> none(0, 3), nothing(0, 4);
  multiply(context::openmp(1), none, m.view(), nothing);
}

TEST(DenseTimesSparse, ErrorsNameBAndA) {
  const small_matrix m;
  const auto cpu = context::openmp(1);
  dense_matrix<double> wrong(2, 4), c(2, 4), small(2, 3);
  expect_error(
      [&] { multiply(cpu, wrong, m.view(), c); },
      {error_kind::bad_argument, {"dense B is 2 x 4", "sparse A is 3 x 4", "4 against 3"}});
  expect_error([&] { multiply(cpu, left(), m.view(), small); },
               {error_kind::bad_argument, {"is 2 x 4, but C is 2 x 3"}});
  dense_matrix<float> narrow(2, 3), narrow_c(2, 4);
  expect_error([&] { multiply(cpu, narrow, m.view(), narrow_c); },
               {error_kind::bad_argument, {"A holds f64", "B holds f32"}});
}

}  // namespace
}  // namespace gossamer
