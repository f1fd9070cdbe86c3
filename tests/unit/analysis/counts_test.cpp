#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "matrices.hpp"

namespace gossamer {
namespace {

using counts = std::vector<index_t>;

TEST(CountStatistics, HandWritten) {
  const auto s = statistics(counts{4, 0, 2, 2, 7});
  EXPECT_EQ(s.count, 5);
  EXPECT_EQ(s.total, 15);
  EXPECT_EQ(s.min, 0);
  EXPECT_EQ(s.max, 7);
  EXPECT_EQ(s.zeros, 1);
  EXPECT_DOUBLE_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(28.0 / 5));  // 1 + 9 + 1 + 1 + 16
  EXPECT_DOUBLE_EQ(s.imbalance, 7.0 / 3);
  EXPECT_EQ(s.quantiles, (std::array<index_t, 7>{0, 0, 2, 2, 4, 7, 7}));
}

TEST(CountStatistics, QuantilesOfAHundred) {
  counts values(100);
  std::iota(values.rbegin(), values.rend(), 1);  // 100 .. 1
  EXPECT_EQ(statistics(values).quantiles, (std::array<index_t, 7>{1, 5, 25, 50, 75, 95, 99}));
}

TEST(CountStatistics, QuantilesBeyondTheTableAreExactToo) {
  counts values(100);
  std::iota(values.begin(), values.end(), 65'500);  // some below 65,536, some above
  EXPECT_EQ(statistics(values).quantiles,
            (std::array<index_t, 7>{65'500, 65'504, 65'524, 65'549, 65'574, 65'594, 65'598}));
}

TEST(CountStatistics, OfNothingAndOfZeros) {
  const auto nothing = statistics(counts{});
  EXPECT_EQ(nothing.count, 0);
  EXPECT_EQ(nothing.imbalance, 0);
  const auto zeros = statistics(counts{0, 0, 0});
  EXPECT_EQ(zeros.zeros, 3);
  EXPECT_EQ(zeros.mean, 0);
  EXPECT_EQ(zeros.imbalance, 0);
  EXPECT_EQ(zeros.quantiles[6], 0);
}

TEST(CountStatistics, HugeEqualCountsHaveNoDeviation) {
  const index_t huge = index_t{1} << 61;
  const auto s = statistics(counts{huge, huge, huge});
  EXPECT_EQ(s.total, 3 * huge);
  EXPECT_EQ(s.deviation, 0);
  EXPECT_EQ(s.imbalance, 1);
}

TEST(CountStatistics, ATotalBeyond64BitsIsRefused) {
  const index_t most = std::numeric_limits<index_t>::max();
  try {
    statistics(counts{most, 1});
    FAIL() << "expected an overflow";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::overflow);
    EXPECT_NE(std::string(e.what()).find("9,223,372,036,854,775,807"), std::string::npos);
  }
}

TEST(CountStatistics, NegativeCountsAreRefused) {
  EXPECT_THROW(statistics(counts{1, -2}), error);
  EXPECT_THROW(histogram(counts{1, -2}), error);
}

TEST(CountStatistics, SameForEveryNumberOfThreads) {
  std::mt19937_64 random(3);
  counts values(300'000);
  for (auto& x : values)
    x = static_cast<index_t>(random() % 100 == 0 ? random() % 1'000'000 : random() % 50);
  const auto one = statistics(values);
  for (const int threads : {2, 5}) {
    const auto many = statistics(context::openmp(threads), values);
    EXPECT_EQ(many.total, one.total);
    EXPECT_EQ(many.deviation, one.deviation);
    EXPECT_EQ(many.quantiles, one.quantiles);
    EXPECT_EQ(histogram(context::openmp(threads), values).bins, histogram(values).bins);
  }
  counts sorted = values;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(one.quantiles[3], sorted[149'999]);
  EXPECT_EQ(one.quantiles[6], sorted[296'999]);
}

TEST(CountHistogram, PowersOfTwo) {
  EXPECT_EQ(histogram(counts{0, 1, 2, 3, 4, 7, 8, 0}).bins, (counts{2, 1, 2, 2, 1}));
  EXPECT_TRUE(histogram(counts{}).bins.empty());
  EXPECT_EQ(histogram(counts{0}).bins, (counts{1}));
  EXPECT_EQ(histogram(counts{std::numeric_limits<index_t>::max()}).bins.size(), 64u);
}

}  // namespace
}  // namespace gossamer
