// same and allclose: what they tell apart, and what they do not.
#include "gossamer/compare.hpp"

#include <gtest/gtest.h>

#include "gossamer/convert.hpp"
#include "triplets.hpp"
#include "unit/refusal.hpp"

namespace gossamer::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

csr_matrix<double> matrix(extents shape, std::vector<triplet> entries, widths w = {}) {
  return make_csr<double>({"", shape, std::move(entries)}, w);
}

TEST(Same, EveryCaseInEveryFormatAndWidth) {
  for (const auto& drawn : all_cases()) {
    const auto a = make_csr<double>(drawn);
    EXPECT_TRUE(same(a, a)) << drawn.name;
    EXPECT_TRUE(same(a, make_csr<double>(drawn, {index_width::i64, index_width::i64})));
    EXPECT_TRUE(same(a, make_coo<double>(drawn))) << drawn.name;
    EXPECT_TRUE(same(a, convert<sellp_matrix<double>>(a))) << drawn.name;
    EXPECT_TRUE(same(transposed(a), convert<csc_matrix<double>>(transposed(a)))) << drawn.name;
  }
}

TEST(Same, TellsApart) {
  const auto a = matrix({2, 3}, {{0, 1, 5}, {0, 2, 6}, {1, 0, 7}});
  EXPECT_FALSE(same(a, matrix({3, 3}, {{0, 1, 5}, {0, 2, 6}, {1, 0, 7}})));              // shape
  EXPECT_FALSE(same(a, matrix({2, 4}, {{0, 1, 5}, {0, 2, 6}, {1, 0, 7}})));              // shape
  EXPECT_FALSE(same(a, matrix({2, 3}, {{0, 1, 5}, {0, 2, 6}})));                         // count
  EXPECT_FALSE(same(a, matrix({2, 3}, {{0, 1, 5}, {1, 2, 6}, {1, 0, 7}})));              // row
  EXPECT_FALSE(same(a, matrix({2, 3}, {{0, 1, 5}, {0, 2, 6}, {1, 1, 7}})));              // column
  EXPECT_FALSE(same(a, matrix({2, 3}, {{0, 1, 5}, {0, 2, 6}, {1, 0, 7 + 1e-15 * 7}})));  // value
  EXPECT_FALSE(same(a, matrix({2, 3}, {{0, 2, 6}, {0, 1, 5}, {1, 0, 7}})));              // order
  EXPECT_FALSE(same(a, scaled(2.0, a)));
  EXPECT_TRUE(same(scaled(2.0, a), scaled(2.0, a)));
}

TEST(Same, BitsDecide) {
  const auto with = [](double value) { return matrix({1, 1}, {{0, 0, value}}); };
  EXPECT_TRUE(same(with(nan), with(nan)));
  EXPECT_FALSE(same(with(0.0), with(-0.0)));
  EXPECT_FALSE(same(with(0.0), matrix({1, 1}, {})));
}

TEST(Same, LargeMatricesWithOneDifference) {
  const auto drawn = matrix_case{"", {9000, 50}, random_entries({9000, 50}, 30000, 3)};
  const auto a = make_csr<double>(drawn);
  auto b = a;
  EXPECT_TRUE(same(context::openmp(3), a, b));
  b.values()[29999] += 1;
  EXPECT_FALSE(same(context::openmp(3), a, b));
  EXPECT_FALSE(allclose(context::openmp(3), a, b));
}

TEST(Same, DenseMatricesAndVectors) {
  dense_matrix<double> rows(2, 3), columns(2, 3, layout::column_major);
  rows(1, 2) = columns(1, 2) = 4;
  EXPECT_TRUE(same(rows, columns));
  EXPECT_TRUE(same(rows, matrix({2, 3}, {{1, 2, 4}})));
  rows(0, 0) = -0.0;
  EXPECT_FALSE(same(rows, columns));
  EXPECT_TRUE(same(std::vector<float>{1, 2}, std::vector<float>{1, 2}));
  EXPECT_FALSE(same(std::vector<float>{1, 2}, std::vector<float>{1, 3}));
}

TEST(Allclose, PatternsMayDiffer) {
  const auto a = matrix({2, 3}, {{0, 1, 5}, {1, 0, 1e-9}});
  const auto b = matrix({2, 3}, {{0, 2, -1e-9}, {0, 1, 2}, {0, 1, 3}});  // unsorted, duplicates
  EXPECT_TRUE(allclose(a, b));
  EXPECT_TRUE(allclose(b, a));
  EXPECT_FALSE(allclose(a, b, 1e-5, 0));
  EXPECT_FALSE(allclose(a, matrix({3, 2}, {{0, 1, 5}})));
  EXPECT_TRUE(allclose(a, convert<dense_matrix<double>>(b)));
  EXPECT_TRUE(allclose(transposed(a), convert<csc_matrix<double>>(transposed(b))));
}

TEST(Allclose, TheToleranceIsRelativeToTheSecond) {
  const auto ten = matrix({1, 1}, {{0, 0, 10}}), eleven = matrix({1, 1}, {{0, 0, 11}});
  EXPECT_TRUE(allclose(ten, eleven, 0.0910, 0));  // 0.0910 * 11 > 1
  EXPECT_FALSE(allclose(eleven, ten, 0.0910, 0));
  EXPECT_TRUE(allclose(eleven, ten, 0, 1));
  EXPECT_FALSE(allclose(eleven, ten, 0, 0.999));
  EXPECT_TRUE(allclose(ten, ten, 0, 0));
}

TEST(Allclose, InfinitiesAndNaN) {
  const auto with = [](double value) { return matrix({1, 1}, {{0, 0, value}}); };
  EXPECT_TRUE(allclose(with(inf), with(inf)));
  EXPECT_FALSE(allclose(with(inf), with(-inf)));
  EXPECT_FALSE(allclose(with(1), with(inf)));
  EXPECT_FALSE(allclose(with(inf), with(1)));
  EXPECT_FALSE(allclose(with(nan), with(nan)));
  EXPECT_FALSE(allclose(with(nan), matrix({1, 1}, {})));
  EXPECT_FALSE(allclose(matrix({1, 1}, {}), with(nan)));
}

TEST(Allclose, Refusals) {
  const auto a = matrix({1, 1}, {{0, 0, 1}});
  EXPECT_EQ(refusal(error_kind::bad_argument, [&] { allclose(a, a, -1e-5); }),
            "rtol = -1e-05 was given to allclose; tolerances are not negative");
  refusal(error_kind::bad_argument, [&] { allclose(a, a, 0, nan); });
  auto view = a.view();
  view.where = memory::device;
  refusal(error_kind::not_available, [&] { allclose(a, view); });
  refusal(error_kind::not_available, [&] { same(view, a); });
}

}  // namespace
}  // namespace gossamer::test
