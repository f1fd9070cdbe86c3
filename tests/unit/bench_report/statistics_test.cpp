#include "bench/race/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace gossamer::bench {
namespace {

std::vector<double> first_numbers(std::size_t n) {
  std::vector<double> numbers(n);
  std::iota(numbers.rbegin(), numbers.rend(), 1.0);  // descending: order must not matter
  return numbers;
}

TEST(Statistics, MedianOfOddAndEvenCounts) {
  EXPECT_DOUBLE_EQ(median(std::vector{3.0, 1.0, 2.0}), 2);
  EXPECT_DOUBLE_EQ(median(std::vector{4.0, 1.0, 2.0, 8.0}), 3);
  EXPECT_DOUBLE_EQ(median(std::vector{7.0}), 7);
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(Statistics, GeomeanOfReciprocalsIsOne) {
  EXPECT_DOUBLE_EQ(geomean(std::vector{2.0, 0.5}), 1);
  EXPECT_DOUBLE_EQ(geomean(std::vector{1.0, 10.0, 100.0}), 10);
  EXPECT_TRUE(std::isnan(geomean({})));
}

// Ranks from tables of the sign test: 9 samples allow to cut 1 at each end, 20 allow 5, 100
// allow 39.
TEST(Statistics, IntervalOfTheMedianHasTheTabulatedRanks) {
  struct row {
    std::size_t samples;
    double low, high;
  };
  for (const auto& [samples, low, high] :
       {row{1, 1, 1}, row{5, 1, 5}, row{6, 1, 6}, row{8, 1, 8}, row{9, 2, 8}, row{11, 2, 10},
        row{12, 3, 10}, row{20, 6, 15}, row{51, 19, 33}, row{100, 40, 61}}) {
    const auto found = median_interval(first_numbers(samples));
    EXPECT_EQ(found.low, low) << samples << " samples";
    EXPECT_EQ(found.high, high) << samples << " samples";
  }
  EXPECT_TRUE(std::isnan(median_interval({}).low));
}

TEST(Statistics, IntervalOfManySamplesDoesNotUnderflow) {
  const auto found = median_interval(first_numbers(4001));
  EXPECT_NEAR(found.low, 2001 - 1.96 * std::sqrt(4001.0) / 2, 2);
  EXPECT_NEAR(found.high, 2001 + 1.96 * std::sqrt(4001.0) / 2, 2);
}

TEST(Statistics, SpreadIsHalfTheIntervalOverTheMedian) {
  EXPECT_DOUBLE_EQ(relative_spread(first_numbers(9)), 0.6);  // (8 - 2) / 2 / 5
  EXPECT_DOUBLE_EQ(relative_spread(std::vector{2.0, 2.0, 2.0}), 0);
}

TEST(Statistics, ProfileCountsCasesWithinTheFactor) {
  const std::vector<double> ratios{1.0, 1.2, 3.0, std::numeric_limits<double>::infinity()};
  EXPECT_DOUBLE_EQ(share_within(ratios, 1), 0.25);
  EXPECT_DOUBLE_EQ(share_within(ratios, 1.2), 0.5);
  EXPECT_DOUBLE_EQ(share_within(ratios, 8), 0.75);
  EXPECT_DOUBLE_EQ(share_within({}, 2), 0);
}

}  // namespace
}  // namespace gossamer::bench
