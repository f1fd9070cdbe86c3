#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "matrices.hpp"

namespace gossamer {
namespace {

using namespace analysis_tests;

const auto serial = context::reference();

index_t sum(const std::vector<index_t>& values) {
  return std::accumulate(values.begin(), values.end(), index_t{0});
}

TEST(Estimate, HandWritten) {
  // C has rows {0,4,1,2,3}, {}, {}, {1,2,3}: products 5, 0, 0, 6.
  const auto a = matrix_of({{0, 2}, {1}, {}, {2, 2}}, 3);
  const auto b = matrix_of({{0, 4}, {}, {1, 2, 3}}, 5);
  const auto e = estimate(serial, a, b);
  EXPECT_EQ(e.shape, (extents{4, 5}));
  EXPECT_EQ(e.flop, 11);
  EXPECT_TRUE(e.exact);
  EXPECT_EQ(e.nnz, 8);
  EXPECT_EQ(e.nnz_low, 8);
  EXPECT_EQ(e.nnz_high, 8);
  EXPECT_EQ(e.counted_rows, 2);
  EXPECT_EQ(e.counted_products, 11);
  EXPECT_DOUBLE_EQ(e.compression, 11.0 / 8);
  EXPECT_DOUBLE_EQ(e.expansion, 11.0 / 5);
  EXPECT_EQ(e.products_per_row.max, 6);
  EXPECT_EQ(e.products_histogram.bins, (std::vector<index_t>{2, 0, 0, 2}));
  EXPECT_EQ(e.expansion_per_row.rows, 3);  // 5/2, 0, 6/2
  EXPECT_DOUBLE_EQ(e.expansion_per_row.min, 0);
  EXPECT_DOUBLE_EQ(e.expansion_per_row.max, 3);
  EXPECT_DOUBLE_EQ(e.expansion_per_row.mean, 5.5 / 3);
  EXPECT_EQ(e.contraction_per_row.rows, 2);  // 5/5, 6/3
  EXPECT_DOUBLE_EQ(e.contraction_per_row.min, 1);
  EXPECT_DOUBLE_EQ(e.contraction_per_row.max, 2);
  EXPECT_DOUBLE_EQ(e.contraction_per_row.mean, 1.5);
  EXPECT_DOUBLE_EQ(e.contraction_per_row.deviation, 0.5);
  EXPECT_EQ(e.result_bytes, 5 * 4 + 8 * 12);
  ASSERT_EQ(e.peak.size(), 6u);
  for (const auto& p : e.peak) EXPECT_GE(p.bytes, e.result_bytes) << p.algorithm;
}

TEST(Estimate, EmptyThings) {
  const csr_matrix<float> none({0, 3}, 0), some({3, 0}, 0), zero({3, 3}, 0);
  for (const auto& e :
       {estimate(serial, none, some), estimate(serial, some, none),
        estimate(context::openmp(4), zero, zero), estimate(serial, zero, zero, {.exact = true})}) {
    EXPECT_TRUE(e.exact);
    EXPECT_EQ(e.flop, 0);
    EXPECT_EQ(e.nnz, 0);
    EXPECT_EQ(e.compression, 0);
    EXPECT_EQ(e.contraction_per_row.rows, 0);
  }
}

TEST(Estimate, ErrorsNameTheOperands) {
  const csr_matrix<double> a({3, 4}, 0), b({5, 6}, 0);
  try {
    estimate(serial, a, b);
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::bad_argument);
    EXPECT_STREQ(e.what(), "A is 3 x 4 and B is 5 x 6: A's columns must equal B's rows (4 ≠ 5)");
  }
  EXPECT_THROW(estimate(serial, a, coo_matrix<double>({4, 2}, 0)), error);
  EXPECT_THROW(estimate(serial, a, transposed(a), {.sample_rows = 0}), error);
}

TEST(Estimate, ExactOnRequestAgreesWithThePlainProduct) {
  const auto rows = rmat_rows(10, 12, 3);
  const auto a = matrix_of(rows, 1024);
  const auto products = products_of(rows, rows), entries = entries_of_product(rows, rows, 1024);
  for (const int threads : {1, 3}) {
    const auto e = estimate(context::openmp(threads), a, a, {.exact = true});
    EXPECT_TRUE(e.exact);
    EXPECT_EQ(e.flop, sum(products));
    EXPECT_EQ(e.nnz, sum(entries));
    double largest = 0;
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i] > 0)
        largest =
            std::max(largest, static_cast<double>(products[i]) / static_cast<double>(entries[i]));
    EXPECT_DOUBLE_EQ(e.contraction_per_row.max, largest);
  }
}

TEST(Estimate, EveryWayAnOperandCanBeGiven) {
  const auto rows = rmat_rows(10, 16, 4);
  const auto turned = transpose(rows, 1024);
  const auto a = matrix_of(rows, 1024), at = matrix_of(turned, 1024);
  const auto by_columns = csc_of(rows, 1024);
  const auto expected = to_json(estimate(serial, a, a));
  EXPECT_EQ(to_json(estimate(serial, transposed(at), a)), expected);
  EXPECT_EQ(to_json(estimate(serial, a, by_columns)), expected);
  EXPECT_EQ(to_json(estimate(serial, by_columns, transposed(at))), expected);
  EXPECT_EQ(to_json(estimate(serial, scaled(3.0, a), transposed(transposed(a)))), expected);
  // A^T A is another product.
  const auto normal = estimate(serial, transposed(a), a, {.exact = true});
  EXPECT_EQ(normal.nnz, sum(entries_of_product(turned, rows, 1024)));
}

TEST(Estimate, SameForEveryNumberOfThreads) {
  const auto a = matrix_of(rmat_rows(11, 16, 8), 2048);
  auto one = estimate(serial, a, a, {.seed = 5});
  EXPECT_FALSE(one.exact);
  one.peak.clear();  // tables are per thread
  for (const int threads : {2, 3, 7}) {
    auto many = estimate(context::openmp(threads), a, a, {.seed = 5});
    many.peak.clear();
    EXPECT_EQ(to_json(many), to_json(one));
  }
  EXPECT_NE(estimate(serial, a, a, {.seed = 6}).nnz, one.nnz);
}

TEST(Estimate, WorkIsBounded) {
  const auto a = matrix_of(rmat_rows(12, 16, 2), 4096);
  const auto e = estimate(serial, a, a);
  EXPECT_FALSE(e.exact);
  const index_t budget = std::max<index_t>(e.flop / 100, 1 << 17);
  EXPECT_LT(e.counted_products, 3 * budget);
  EXPECT_LT(e.counted_rows, 700);
  EXPECT_GT(e.counted_rows, 50);
}

TEST(Estimate, GiantRowsAreBoundedNotCounted) {
  // Row 0 is full and holds most of the products; B is random.
  auto rows = random_rows(20'000, 20'000, 2, 1);
  rows[0].resize(20'000);
  std::iota(rows[0].begin(), rows[0].end(), 0);
  const auto right = random_rows(20'000, 50'000, 20, 2);
  const auto entries = entries_of_product(rows, right, 50'000);
  const auto e = estimate(serial, matrix_of(rows, 20'000), matrix_of(right, 50'000));
  ASSERT_GT(e.products_per_row.max, e.flop / 4);
  EXPECT_FALSE(e.exact);
  EXPECT_LT(e.counted_products, 3 << 17);
  EXPECT_LE(e.nnz_low, sum(entries));
  EXPECT_GE(e.nnz_high, sum(entries));
  EXPECT_NEAR(static_cast<double>(e.nnz), static_cast<double>(sum(entries)),
              0.05 * static_cast<double>(sum(entries)));
}

struct product_case {
  std::string name;
  row_list a, b;
  index_t inner, cols;
};

/// 16 products of each of three kinds, all beyond what is counted completely.
std::vector<product_case> product_cases() {
  std::vector<product_case> cases;
  for (unsigned k = 0; k < 16; ++k) {
    const index_t n = 1500 + 400 * k, d = 10 + k % 5 * 4;
    cases.push_back({"random", random_rows(n, n, d, k), random_rows(n, 600 + 900 * k, d, 100 + k),
                     n, 600 + 900 * k});
    const auto graph = rmat_rows(k % 2 == 0 ? 11 : 12, 6 + k % 4, 200 + k);
    const auto size = static_cast<index_t>(graph.size());
    cases.push_back({"rmat", graph, k % 3 == 0 ? transpose(graph, size) : graph, size, size});
    const auto band = banded_rows(4000 + 300 * k, 8 + k, 40 + 3 * k, 300 + k);
    const auto length = static_cast<index_t>(band.size());
    cases.push_back({"banded", band, band, length, length});
  }
  return cases;
}

TEST(Estimate, TheIntervalHoldsTheTruth) {
  int held = 0, tried = 0;
  double worst = 0, widest = 0;
  for (const auto& c : product_cases()) {
    const index_t truth = sum(entries_of_product(c.a, c.b, c.cols));
    const auto a = matrix_of(c.a, c.inner), b = matrix_of(c.b, c.cols);
    for (const std::uint64_t seed : {1, 2, 3}) {
      const auto e = estimate(serial, a, b, {.sample_rows = seed == 3 ? 64 : 512, .seed = seed});
      ASSERT_FALSE(e.exact) << c.name;
      ASSERT_LE(e.nnz_low, e.nnz);
      ASSERT_LE(e.nnz, e.nnz_high);
      ++tried;
      held += e.nnz_low <= truth && truth <= e.nnz_high;
      worst =
          std::max(worst, std::abs(static_cast<double>(e.nnz) / static_cast<double>(truth) - 1));
      widest = std::max(widest,
                        static_cast<double>(e.nnz_high - e.nnz_low) / static_cast<double>(truth));
      EXPECT_EQ(e.products_per_row.total, sum(products_of(c.a, c.b)));
    }
  }
  RecordProperty("held", held);
  EXPECT_GE(held, tried * 92 / 100) << held << " of " << tried;
  EXPECT_LT(worst, 0.15);
  EXPECT_LT(widest, 0.5);  // an interval that says everything says nothing
}

}  // namespace
}  // namespace gossamer
