// The split of HYB: hand-computed quantiles, the definition, and the promise of fewest bytes.
#include <gtest/gtest.h>

#include <numeric>

#include "gossamer/convert.hpp"
#include "triplets.hpp"

namespace gossamer::test {
namespace {

using list = std::vector<index_t>;
const list one_to_ten{4, 9, 1, 7, 10, 2, 8, 3, 6, 5};

index_t width(const list& lengths, const hyb_options& how, value_type values = value_type::f64,
              index_width indices = index_width::i32) {
  return hyb_width(lengths, how, values, indices);
}
index_t limit(const list& lengths, double x) {
  return width(lengths, {.strategy = hyb_strategy::imbalance_limit, .quantile = x});
}

TEST(HybWidth, ColumnLimit) {
  EXPECT_EQ(width(one_to_ten, {.strategy = hyb_strategy::column_limit, .columns = 3}), 3);
  EXPECT_EQ(width(one_to_ten, {.strategy = hyb_strategy::column_limit, .columns = 0}), 0);
  EXPECT_THROW(width(one_to_ten, {.strategy = hyb_strategy::column_limit, .columns = -1}), error);
}

TEST(HybWidth, ImbalanceLimitByHand) {
  EXPECT_EQ(limit(one_to_ten, -0.1), 0);  // all COO
  EXPECT_EQ(limit(one_to_ten, 0), 1);     // no padding
  EXPECT_EQ(limit(one_to_ten, 0.25), 3);
  EXPECT_EQ(limit(one_to_ten, 1.0 / 3), 4);
  EXPECT_EQ(limit(one_to_ten, 0.5), 6);
  EXPECT_EQ(limit(one_to_ten, 0.8), 9);
  EXPECT_EQ(limit(one_to_ten, 0.9), 10);  // 1 - 1/rows: all ELL
  EXPECT_EQ(limit(one_to_ten, 1), 10);
  EXPECT_EQ(limit(one_to_ten, 5), 10);
  EXPECT_EQ(limit({}, 0.5), 0);
  EXPECT_EQ(limit({7}, 0), 7);
  EXPECT_THROW(limit(one_to_ten, std::nan("")), error);
}

TEST(HybWidth, TheLastQuantileIsTheLongestRowForEveryRowCount) {
  for (index_t rows = 1; rows < 3000; ++rows) {
    list lengths(static_cast<std::size_t>(rows), 1);
    lengths.front() = 5;
    ASSERT_EQ(limit(lengths, 1 - 1 / static_cast<double>(rows)), 5) << rows;
  }
}

TEST(HybWidth, ImbalanceLimitFollowsTheDefinition) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    list lengths(1 + random() % 64);
    for (auto& length : lengths) length = static_cast<index_t>(random() % 12);
    // x in 64ths of an odd number: never on a step of the distribution, so rounding decides
    // nothing.
    const double x = static_cast<double>(random() % 1009) / 1009 * 0.999 + 1e-6;
    const auto share = [&](index_t t) {
      const auto within = std::count_if(lengths.begin(), lengths.end(),
                                        [&](index_t length) { return length <= t; });
      return static_cast<double>(within) / static_cast<double>(lengths.size());
    };
    index_t t = 0;
    while (!(x < share(t))) ++t;
    EXPECT_EQ(limit(lengths, x), t);
  }
}

TEST(HybWidth, BoundedAndAutomatic) {
  const auto bounded = [](const list& lengths, double x, double bound) {
    return width(lengths,
                 {.strategy = hyb_strategy::imbalance_bounded, .quantile = x, .bound = bound});
  };
  EXPECT_EQ(bounded(one_to_ten, 0.8, 0.5), 5);
  EXPECT_EQ(bounded(one_to_ten, 0.8, 1), 9);
  EXPECT_EQ(bounded(one_to_ten, -1, 1), 0);
  EXPECT_EQ(bounded(one_to_ten, 0.8, 1e300), 9);
  EXPECT_THROW(bounded(one_to_ten, 0.8, -1), error);
  EXPECT_EQ(width(one_to_ten, {}), 0);        // 0.001 * 10 rows: no place
  EXPECT_EQ(width(list(3000, 10), {}), 3);    // 0.001 * 3000
  EXPECT_EQ(width(list(30000, 10), {}), 10);  // the quantile decides
  EXPECT_EQ(hyb_options{}.quantile, 0.8);
  EXPECT_EQ(hyb_options{}.bound, 0.0001);
}

TEST(HybWidth, MinimalStorageByHand) {
  const hyb_options minimal{.strategy = hyb_strategy::minimal_storage};
  EXPECT_EQ(width(one_to_ten, minimal, value_type::f64, index_width::i32), 3);  // x = 1/4
  EXPECT_EQ(width(one_to_ten, minimal, value_type::f32, index_width::i32), 4);  // x = 1/3
  EXPECT_EQ(width(one_to_ten, minimal, value_type::f64, index_width::i64), 4);  // x = 1/3
  EXPECT_EQ(width(one_to_ten, minimal, value_type::f32, index_width::i64), 5);  // x = 2/5
}

TEST(HybWidth, MinimalStorageTakesTheFewestBytes) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 100; ++round) {
    list lengths(1 + random() % 40);
    for (auto& length : lengths) length = static_cast<index_t>(random() % 20);
    for (const auto values : {value_type::f32, value_type::f64}) {
      const auto stored = [&](index_t t) {
        const index_t v = bytes(values), p = 4;
        index_t total = static_cast<index_t>(lengths.size()) * t * (v + p);
        for (const auto length : lengths) total += std::max<index_t>(length - t, 0) * (v + 2 * p);
        return total;
      };
      index_t fewest = stored(0);
      for (index_t t = 1; t <= 20; ++t) fewest = std::min(fewest, stored(t));
      EXPECT_EQ(stored(width(lengths, {.strategy = hyb_strategy::minimal_storage}, values)),
                fewest);
    }
  }
}

TEST(HybWidth, TheConversionUsesIt) {
  matrix_case steps{"", {10, 10}, {}};
  for (index_t i = 0; i < 10; ++i)
    for (index_t j = 0; j <= i; ++j) steps.entries.push_back({i, j, 1});
  const auto split = [&](const hyb_options& how) {
    const auto result = convert<hyb_matrix<double>>(make_csr<double>(steps), {.hyb = how});
    return std::tuple(result.ell().width(), result.ell().nnz(), result.coo().nnz());
  };
  using parts = std::tuple<index_t, index_t, index_t>;
  EXPECT_EQ(split({.strategy = hyb_strategy::imbalance_limit, .quantile = -1}), parts(0, 0, 55));
  EXPECT_EQ(split({.strategy = hyb_strategy::imbalance_limit, .quantile = 1}), parts(10, 55, 0));
  EXPECT_EQ(split({.strategy = hyb_strategy::minimal_storage}), parts(3, 27, 28));
  // A limit beyond the longest row stores no more than the longest row.
  EXPECT_EQ(split({.strategy = hyb_strategy::column_limit, .columns = index_t{1} << 60}),
            parts(10, 55, 0));
}

}  // namespace
}  // namespace gossamer::test
