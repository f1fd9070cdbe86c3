// Counter-based draws, sampling, and the matrices of random columns.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "generate/random.hpp"
#include "generate/sampling.hpp"
#include "support.hpp"

namespace gossamer::generate {
namespace {

TEST(Random, DrawsArePinned) {
  // SplitMix64 from state 0 starts with these two (Steele, Lea, Flood); a change here would change
  // every generated matrix.
  EXPECT_EQ(mix(0x9e3779b97f4a7c15U), 0xe220a8397b1dcdafU);
  EXPECT_EQ(mix(2 * 0x9e3779b97f4a7c15U), 0x6e789e6aa1b965f4U);
  const random_stream a(1, purpose::pattern), b(1, purpose::values), c(2, purpose::pattern);
  EXPECT_NE(a.bits(0), b.bits(0));
  EXPECT_NE(a.bits(0), c.bits(0));
  EXPECT_NE(a.of(0).bits(0), a.of(1).bits(0));
}

TEST(Random, RangesAndMeans) {
  const random_stream draws(9, purpose::values);
  double positive = 0, centred = 0, below = 0;
  constexpr int n = 100'000;
  for (std::uint64_t i = 0; i < n; ++i) {
    const float p = draws.positive<float>(i);
    const double c = draws.centred<double>(i);
    const index_t b = draws.below(i, 10);
    ASSERT_TRUE(p > 0 && p <= 1 && c >= -1 && c < 1 && b >= 0 && b < 10);
    positive += static_cast<double>(p);
    centred += c;
    below += static_cast<double>(b);
  }
  EXPECT_NEAR(positive / n, 0.5, 0.005);
  EXPECT_NEAR(centred / n, 0, 0.01);
  EXPECT_NEAR(below / n, 4.5, 0.05);
}

TEST(Random, APermutationIsOne) {
  for (index_t n : {1, 2, 3, 17, 64, 1000}) {
    const permutation order(n, random_stream(3, purpose::row_order));
    std::vector<index_t> image;
    for (index_t i = 0; i < n; ++i) {
      image.push_back(order(i));
      ASSERT_EQ(order.inverse(order(i)), i);
    }
    if (n >= 17) {
      EXPECT_FALSE(std::is_sorted(image.begin(), image.end())) << n;
    }
    std::sort(image.begin(), image.end());
    for (index_t i = 0; i < n; ++i) ASSERT_EQ(image[static_cast<std::size_t>(i)], i);
  }
}

TEST(Sampling, DistinctSortedAndUniform) {
  sampling_scratch scratch;
  for (const index_t count : {1, 2, 6, 30, 50, 70, 99, 100}) {
    std::vector<int> hits(100, 0);
    constexpr int rounds = 4000;
    for (int round = 0; round < rounds; ++round) {
      std::vector<std::int32_t> chosen(static_cast<std::size_t>(count));
      sample_sorted(random_stream(static_cast<std::uint64_t>(round), purpose::pattern), 100,
                    std::span<std::int32_t>(chosen), scratch);
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        ASSERT_TRUE(k == 0 || chosen[k - 1] < chosen[k]);
        ASSERT_TRUE(chosen[k] >= 0 && chosen[k] < 100);
        ++hits[static_cast<std::size_t>(chosen[k])];
      }
    }
    const double share = static_cast<double>(count) / 100;
    const double spread = std::sqrt(rounds * share * (1 - share));
    for (const int hit : hits) EXPECT_NEAR(hit, rounds * share, 5 * spread) << count;
  }
}

TEST(Rmat, DuplicatesAreSummed) {
  // 2 x 2 with 4096 edges: all four nonzeros exist and hold every weight that was drawn.
  const auto a = rmat<double>(context::openmp(2), 1, 2048);
  EXPECT_EQ(a.nnz(), 4);
  expect_sorted_rows(a);
  const auto found = entries(a);
  EXPECT_NEAR(found.at({0, 0}), 0.5 * 4096 * 0.57, 60);
  EXPECT_NEAR(found.at({0, 1}), 0.5 * 4096 * 0.19, 60);
  EXPECT_NEAR(found.at({1, 0}), 0.5 * 4096 * 0.19, 60);
  EXPECT_NEAR(found.at({1, 1}), 0.5 * 4096 * 0.05, 30);
}

TEST(Rmat, QuartersHaveTheirShares) {
  const auto a = rmat<double>(context::openmp(2), 12, 8, 4);
  expect_sorted_rows(a);
  EXPECT_LT(a.nnz(), 8 << 12);  // some were duplicates
  double upper_left = 0, lower_right = 0, total = 0;
  for (const auto& [place, value] : entries(a)) {
    total += value;
    if (place.first < 2048 && place.second < 2048) upper_left += value;
    if (place.first >= 2048 && place.second >= 2048) lower_right += value;
  }
  EXPECT_NEAR(total, 0.5 * (8 << 12), 200);
  EXPECT_NEAR(upper_left / total, 0.57, 0.02);
  EXPECT_NEAR(lower_right / total, 0.05, 0.01);
}

TEST(Rmat, EdgeSizesAndErrors) {
  const auto one = rmat<double>(one_thread(), 0, 5);
  EXPECT_EQ(one.shape(), (extents{1, 1}));
  EXPECT_EQ(one.nnz(), 1);
  EXPECT_EQ(rmat<double>(one_thread(), 3, 0).nnz(), 0);
  expect_mentions(error_of([] { rmat<double>(one_thread(), -1, 5); }), {"scale is -1"});
  expect_mentions(error_of([] { rmat<double>(one_thread(), 60, 5); }), {"scale is 60"});
  expect_mentions(error_of([] { rmat<double>(one_thread(), 4, -5); }), {"edge factor is -5"});
  expect_mentions(error_of([] { rmat<double>(one_thread(), 30, index_t{1} << 40); }),
                  {"overflow", "edges"});
  expect_mentions(
      error_of([] { rmat<double>(one_thread(), 4, 4, 1, {.a = 0.9, .b = 0.2, .c = 0}); }),
      {"a = 0.9", "d = -0.1"});
  expect_mentions(
      error_of([] { rmat<double>(one_thread(), 4, 4, 1, {.a = std::nan(""), .b = 0, .c = 0}); }),
      {"a = nan"});
}

TEST(ErdosRenyi, RowsAreBinomial) {
  const auto a = erdos_renyi<double>(context::openmp(2), 12, 16);
  expect_sorted_rows(a);
  double squares = 0;
  index_t longest = 0;
  for (index_t i = 0; i < a.rows(); ++i) {
    squares += std::pow(static_cast<double>(row_length(a, i)) - 16, 2);
    longest = std::max(longest, row_length(a, i));
  }
  EXPECT_NEAR(squares / 4096, 16, 2);  // variance of a Poisson count
  EXPECT_LT(longest, 45);
  // 65,536 draws from 2^24 places: 128 repeats are expected.
  EXPECT_NEAR(static_cast<double>(a.nnz()), 65536 - 128, 60);
}

TEST(PowerLaw, MeanAndLongestAreMet) {
  for (const auto& [rows, mean, longest] : std::vector<std::tuple<index_t, double, index_t>>{
           {50'000, 3, 4849}, {1000, 10, 500}, {1000, 0.5, 200}, {100, 3, 60}, {2000, 40, 50}}) {
    const auto a = power_law<double>(context::openmp(2), {rows, 6000}, mean, longest, 2);
    expect_sorted_rows(a);
    expect_values_in_unit_interval(a);
    EXPECT_NEAR(static_cast<double>(a.nnz()), mean * static_cast<double>(rows), 2) << rows;
    std::vector<index_t> lengths;
    for (index_t i = 0; i < rows; ++i) lengths.push_back(row_length(a, i));
    EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()), longest);
    EXPECT_EQ(std::count(lengths.begin(), lengths.end(), longest), 1) << rows;
    EXPECT_FALSE(std::is_sorted(lengths.rbegin(), lengths.rend())) << "ranks are not shuffled";
  }
}

TEST(PowerLaw, RanksFallAsAPower) {
  const auto a = power_law<double>(one_thread(), {20'000, 20'000}, 8, 4000);
  std::vector<double> lengths;
  for (index_t i = 0; i < a.rows(); ++i) lengths.push_back(static_cast<double>(row_length(a, i)));
  std::sort(lengths.rbegin(), lengths.rend());
  // On log-log paper the ranks lie on a line: equal ratios over equal ratios of rank.
  EXPECT_NEAR(lengths[9] / lengths[99], lengths[99] / lengths[999],
              0.15 * lengths[9] / lengths[99]);
}

TEST(PowerLaw, ColumnsAreAsPopularAsRowsAreLong) {
  const auto a = power_law<double>(context::openmp(2), {20'000, 20'000}, 8, 1000);
  std::vector<double> popularity(20'000, 0);
  for (const auto& [place, value] : entries(a))
    ++popularity[static_cast<std::size_t>(place.second)];
  double among_long = 0, expected = 0;
  for (index_t i = 0; i < a.rows(); ++i)
    if (row_length(a, i) >= 50) {
      among_long += popularity[static_cast<std::size_t>(i)];
      expected += static_cast<double>(row_length(a, i));
    }
  EXPECT_NEAR(among_long, expected, 0.1 * expected);
  EXPECT_GT(expected, 0.1 * static_cast<double>(a.nnz()));
}

TEST(PowerLaw, LimitsAndErrors) {
  EXPECT_EQ(power_law<double>(one_thread(), {0, 5}, 3, 4).nnz(), 0);
  EXPECT_EQ(power_law<double>(one_thread(), {10, 10}, 10, 10).nnz(), 100);
  EXPECT_EQ(power_law<double>(one_thread(), {10, 10}, 1, 10).nnz(), 10);
  EXPECT_EQ(power_law<double>(one_thread(), {10, 10}, 0, 0).nnz(), 0);
  expect_mentions(error_of([] {
                    power_law<double>(one_thread(), {10, 10}, 3, 11);
                  }),
                  {"longest is 11"});
  expect_mentions(error_of([] { power_law<double>(one_thread(), {10, 10}, 7, 6); }), {"mean is 7"});
  expect_mentions(error_of([] {
                    power_law<double>(one_thread(), {10, 10}, 0.1, 6);
                  }),
                  {"mean is 0.1"});
  EXPECT_NE(error_of([] { power_law<double>(one_thread(), {10, 10}, std::nan(""), 6); }), "");
}

TEST(Aspect, EntriesAreSpreadEvenly) {
  for (const index_t rows : {2, 7, 128, 1000}) {
    const auto a = aspect<double>(context::openmp(2), rows, 3000, 5000, 1);
    expect_sorted_rows(a);
    EXPECT_EQ(a.nnz(), 5000);
    for (index_t i = 0; i < rows; ++i) {
      EXPECT_GE(row_length(a, i), 5000 / rows);
      EXPECT_LE(row_length(a, i), (5000 + rows - 1) / rows);
    }
  }
}

TEST(Aspect, FullAndEmptyAndTooMuch) {
  const auto full = aspect<float>(one_thread(), 3, 4, 12);
  expect_sorted_rows(full);
  EXPECT_EQ(row_length(full, 2), 4);
  EXPECT_EQ(aspect<float>(one_thread(), 0, 4, 0).nnz(), 0);
  expect_mentions(error_of([] { aspect<double>(one_thread(), 3, 4, 13); }),
                  {"nnz is 13", "3 x 4", "12"});
  expect_mentions(error_of([] { aspect<double>(one_thread(), -3, 4, 1); }), {"rows is -3"});
}

TEST(DenseRow, OneLongRowInTheMiddle) {
  const auto a = one_dense_row<double>(context::openmp(3), {1001, 5000}, 4, 3000, 1);
  expect_sorted_rows(a);
  expect_values_in_unit_interval(a);
  EXPECT_EQ(a.nnz(), 4000 + 3000);
  for (index_t i = 0; i < 1001; ++i) ASSERT_EQ(row_length(a, i), i == 500 ? 3000 : 4) << i;
  expect_mentions(error_of([] {
                    one_dense_row<double>(one_thread(), {5, 10}, 2, 11);
                  }),
                  {"dense is 11"});
  EXPECT_EQ(one_dense_row<double>(one_thread(), {0, 10}, 2, 5).nnz(), 0);
}

TEST(DenseColumn, OneLongColumnInTheMiddle) {
  const auto a = one_dense_column<double>(context::openmp(3), {5000, 1001}, 4, 3000, 1);
  expect_sorted_rows(a);
  EXPECT_EQ(a.nnz(), 20000 + 3000);
  std::vector<index_t> columns(1001, 0);
  for (const auto& [place, value] : entries(a)) ++columns[static_cast<std::size_t>(place.second)];
  EXPECT_EQ(columns[500], 3000);
  columns[500] = 0;
  EXPECT_LT(*std::max_element(columns.begin(), columns.end()), 60);
  EXPECT_EQ(one_dense_column<double>(one_thread(), {5, 1}, 0, 5).nnz(), 5);
  expect_mentions(error_of([] {
                    one_dense_column<double>(one_thread(), {5, 10}, 10, 2);
                  }),
                  {"per_row is 10", "at most 9"});
  expect_mentions(error_of([] {
                    one_dense_column<double>(one_thread(), {5, 10}, 2, 6);
                  }),
                  {"dense is 6"});
}

TEST(FillRandom, SameForAnyTeamAndInRange) {
  std::vector<float> one(100'000), five(100'000), other(100'000);
  fill_random<float>(one_thread(), one, 3);
  fill_random<float>(context::openmp(5), five, 3);
  fill_random<float>(one_thread(), other, 4);
  EXPECT_EQ(one, five);
  EXPECT_NE(one, other);
  EXPECT_GE(*std::min_element(one.begin(), one.end()), -1.0F);
  EXPECT_LT(*std::max_element(one.begin(), one.end()), 1.0F);
  EXPECT_LT(*std::min_element(one.begin(), one.end()), -0.99F);
}

}  // namespace
}  // namespace gossamer::generate
