// How results are judged and sizes are read: the parts of the command line that are pure.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bench/race/yardstick.hpp"
#include "cli/arguments/settings.hpp"
#include "cli/output/failure.hpp"

namespace gossamer::cli {
namespace {

using bench::factors;
using bench::product_result;
using bench::yardstick;

// [2 0 1; 0 3 0; 4 0 5]
template <scalar T>
csr_matrix<T> small() {
  const std::vector<std::int32_t> offsets{0, 2, 3, 5}, columns{0, 2, 1, 0, 2};
  const std::vector<T> values{2, 1, 3, 4, 5};
  return {{3, 3},
          index_buffer(std::span<const std::int32_t>(offsets)),
          index_buffer(std::span<const std::int32_t>(columns)),
          buffer<T>(std::span<const T>(values))};
}

template <scalar T>
factors<T> vector_product(std::vector<T> x) {
  factors<T> of;
  of.a = small<T>();
  of.dense = dense_matrix<T>(3, 1, layout::column_major);
  std::copy(x.begin(), x.end(), of.dense.values().begin());
  return of;
}

template <scalar T>
product_result<T> column(std::vector<T> values) {
  dense_matrix<T> result(static_cast<index_t>(values.size()), 1, layout::column_major);
  std::copy(values.begin(), values.end(), result.values().begin());
  return result;
}

TEST(check, accepts_rounding_and_nothing_more) {
  const auto of = vector_product<double>({1, 1, 1});
  const yardstick<double> reference(of);
  EXPECT_TRUE(reference.judge(column<double>({3, 3, 9})).right);
  const double eps = std::numeric_limits<double>::epsilon();
  // Row 1: two terms, sum of magnitudes 3: the bound is 4 * 3 eps.
  const auto close = reference.judge(column<double>({3 + 10 * eps, 3, 9}));
  EXPECT_TRUE(close.right);
  EXPECT_NEAR(close.worst, 10.0 / 12, 0.05);
  const auto far = reference.judge(column<double>({3, 3 + 20 * eps, 9}));
  EXPECT_FALSE(far.right);
  EXPECT_EQ(far.wrong, 1);
  EXPECT_NE(far.first_difference.find("(2, 1)"), std::string::npos) << far.first_difference;
}

TEST(check, bound_follows_the_value_type) {
  const auto of = vector_product<float>({1, 1, 1});
  const yardstick<float> reference(of);
  EXPECT_TRUE(reference.judge(column<float>({3.0000005F, 3, 9})).right);
  EXPECT_FALSE(reference.judge(column<float>({3.00001F, 3, 9})).right);
}

TEST(check, transposed_and_scaled) {
  auto of = vector_product<double>({1, 10, 100});
  of.transpose_a = true;
  of.alpha = -2;
  const yardstick<double> reference(of);
  EXPECT_TRUE(reference.judge(column<double>({-804, -60, -1002})).right);
  EXPECT_FALSE(reference.judge(column<double>({804, 60, 1002})).right);
}

TEST(check, not_a_number_and_infinity_must_agree) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const auto of = vector_product<double>({inf, nan, 1});
  const yardstick<double> reference(of);
  EXPECT_TRUE(reference.judge(column<double>({inf, nan, inf})).right);
  EXPECT_FALSE(reference.judge(column<double>({inf, 1, inf})).right);
  EXPECT_FALSE(reference.judge(column<double>({7, nan, inf})).right);
}

TEST(check, structure_of_sparse_results) {
  factors<double> of;
  of.product = operation::spgemm;
  of.a = small<double>();
  const yardstick<double> reference(of);
  const csr_matrix<double> right = multiply(context::reference(), of.a, of.a);
  EXPECT_TRUE(reference.judge(right).right);
  EXPECT_EQ(reference.judge(right).entries, 5);

  csr_matrix<double> moved = right;
  moved.mutable_view().columns.as<std::int32_t>()[1] = 1;  // (1, 3) becomes (1, 2)
  const auto verdict = reference.judge(moved);
  EXPECT_FALSE(verdict.right);
  EXPECT_NE(verdict.first_difference.find("column 2"), std::string::npos);
  EXPECT_FALSE(reference.judge(csr_matrix<double>({3, 3}, 0)).right);
  EXPECT_FALSE(reference.judge(csr_matrix<double>({3, 4}, 5)).right);

  csr_matrix<double> shifted = right;
  shifted.mutable_view().offsets.as<std::int32_t>()[1] = 3;
  EXPECT_FALSE(reference.judge(shifted).right);
}

TEST(sizes, units) {
  EXPECT_EQ(parse_bytes("4096", "--x"), 4096);
  EXPECT_EQ(parse_bytes("2G", "--x"), 2'000'000'000);
  EXPECT_EQ(parse_bytes("1.5GiB", "--x"), 1'610'612'736);
  EXPECT_EQ(parse_bytes("3kb", "--x"), 3000);
  EXPECT_EQ(parse_bytes("1TiB", "--x"), index_t{1} << 40);
  for (const auto* wrong : {"", "G", "-1", "2X", "inf", "9999999999G", "0.5"})
    EXPECT_THROW(parse_bytes(wrong, "--x"), usage_error) << wrong;
}

}  // namespace
}  // namespace gossamer::cli
