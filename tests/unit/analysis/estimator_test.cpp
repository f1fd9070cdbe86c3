#include <gtest/gtest.h>

#include <set>

#include "analysis/estimator.hpp"
#include "analysis/moments.hpp"
#include "analysis/peaks.hpp"
#include "analysis/strata.hpp"
#include "analysis/symbolic.hpp"
#include "matrices.hpp"

namespace gossamer::analysis {
namespace {

using namespace analysis_tests;

TEST(Moments, WeightsAreRepetitions) {
  moments weighted, repeated, left, right;
  for (const auto& [x, weight] : std::vector<std::pair<double, int>>{{2, 3}, {5, 1}, {-1, 2}}) {
    weighted.add(x, weight);
    for (int k = 0; k < weight; ++k) (x > 2 ? left : right).add(x), repeated.add(x);
  }
  left.merge(right);
  for (const auto& s : {weighted.result(), left.result()}) {
    EXPECT_DOUBLE_EQ(s.mean, 9.0 / 6);
    EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(39.0 / 6 - 2.25));
    EXPECT_EQ(s.min, -1);
    EXPECT_EQ(s.max, 5);
  }
  EXPECT_EQ(repeated.result().rows, 6);
  EXPECT_EQ(weighted.result().rows, 3);
  EXPECT_EQ(moments().result().rows, 0);
  const std::vector<double> numbers{2, 2, 5, -1};
  EXPECT_DOUBLE_EQ(moments(numbers).result().mean, 2);
  EXPECT_DOUBLE_EQ(moments(numbers).result().deviation, std::sqrt(18.0 / 4));
  EXPECT_EQ(moments(std::span<const double>()).result().rows, 0);
}

TEST(Strata, ClassesAndGiants) {
  const std::vector<index_t> products{0, 1, 2, 3, 4, 7, 100, 0, 1000};
  const row_strata strata(context::reference(), products, 50, 200);
  EXPECT_EQ(strata[0].rows, 2);
  EXPECT_EQ(strata[1].rows, 1);
  EXPECT_EQ(strata[2].rows, 2);
  EXPECT_EQ(strata[2].products, 5);
  EXPECT_EQ(strata[3].products, 11);
  EXPECT_EQ(strata[7].rows, 1);
  EXPECT_EQ(strata.giants(), (std::vector<index_t>{8}));
  EXPECT_EQ(strata.most_entries(), 1 + 2 + 3 + 4 + 7 + 50 + 50);
  EXPECT_EQ(strata.pick(3, 2, 1), (std::vector<index_t>{4, 5}));
  EXPECT_TRUE(strata.pick(3, 0, 1).empty());
}

TEST(Strata, PicksAreRandomRowsOfTheClass) {
  std::vector<index_t> products(100'000);
  for (std::size_t i = 0; i < products.size(); ++i) products[i] = i % 3 == 0 ? 5 : 9;
  const row_strata strata(context::openmp(3), products, 10, 1000);
  const auto picked = strata.pick(3, 1000, 7);
  EXPECT_EQ(picked, strata.pick(3, 1000, 7));
  EXPECT_NE(picked, strata.pick(3, 1000, 8));
  ASSERT_EQ(picked.size(), 1000u);
  EXPECT_EQ(std::set<index_t>(picked.begin(), picked.end()).size(), 1000u);
  double mean = 0;
  for (const index_t i : picked) {
    EXPECT_EQ(i % 3, 0);
    mean += static_cast<double>(i) / 1000;
  }
  EXPECT_NEAR(mean, 50'000, 5000);  // five standard errors
}

TEST(Strata, EveryRowIsEquallyLikely) {
  const std::vector<index_t> products(10, 4);
  const row_strata strata(context::reference(), products, 10, 1000);
  std::vector<int> times(10, 0);
  for (std::uint64_t seed = 0; seed < 5000; ++seed)
    for (const index_t i : strata.pick(3, 3, seed)) ++times[static_cast<std::size_t>(i)];
  for (const int t : times) EXPECT_NEAR(t, 1500, 170);  // about five standard errors
}

TEST(Symbolic, CountsRowsHashedAndByBits) {
  // 1000 columns need 16 words: rows of up to 7 products are hashed, longer ones use bits.
  const auto a = shuffled_with_duplicates(random_rows(400, 300, 6, 1), 3);
  for (const index_t cols : {index_t{1000}, index_t{100'000}, index_t{40}}) {
    const auto b = random_rows(300, cols, 5, 2);
    const auto expected = entries_of_product(a, b, cols);
    const auto left = matrix_of(a, 300),
               right = matrix_of(b, cols, {index_width::i64, index_width::i64});
    const auto products = products_of(a, b);
    const auto pa = pattern_of(express(left), "A"), pb = pattern_of(express(right), "B");
    for (const int threads : {1, 4}) {
      const auto all = count_all_rows(context::openmp(threads), pa, pb, products);
      EXPECT_EQ(to_vector(all.span()), expected);
      const std::vector<index_t> some{7, 399, 0};
      EXPECT_EQ(count_rows(context::openmp(threads), pa, pb, products, some),
                (std::vector<index_t>{expected[7], expected[399], expected[0]}));
    }
  }
}

TEST(Symbolic, PartsOfARow) {
  const auto a = matrix_of({{0, 1, 2, 3}}, 4), b = matrix_of({{0, 1}, {1}, {1, 2, 3}, {0}}, 4);
  const auto pa = pattern_of(express(a), "A"), pb = pattern_of(express(b), "B");
  const std::vector<strided_row> which{{0, 2, 0}, {0, 2, 1}, {0, 1, 0}, {0, 9, 5}};
  const auto parts = count_parts(context::reference(), pa, pb, which);
  EXPECT_EQ(parts[0].entries, 2);
  EXPECT_EQ(parts[0].products, 5);
  EXPECT_EQ(parts[0].distinct, 4);
  EXPECT_EQ(parts[1].products, 2);
  EXPECT_EQ(parts[1].distinct, 2);
  EXPECT_EQ(parts[2].distinct, 4);
  EXPECT_EQ(parts[3].products, 0);
  EXPECT_NEAR(parts[0].length_spread, std::sqrt(0.6875) / 1.75, 1e-12);
}

TEST(Estimator, CompleteClassesAreExact) {
  const std::vector<sampled_stratum> strata{{2, 10, {4, 6}, {3, 6}}, {1, 9, {9}, {2}}};
  const auto e = combine(strata, {}, {.known = 5, .most = 30});
  EXPECT_TRUE(e.exact);
  EXPECT_EQ(e.nnz, 16);
  EXPECT_EQ(e.low, 16);
  EXPECT_EQ(e.high, 16);
}

TEST(Estimator, RatioOfTheSampleTimesProducts) {
  // Ratio 1/2 without any spread: only the allowance for the unseen is left.
  sampled_stratum s{1000, 10'000, {}, {}};
  for (int i = 0; i < 100; ++i) s.sample_products.push_back(10), s.sample_entries.push_back(5);
  const auto e = combine({&s, 1}, {}, {.known = 0, .most = 10'000});
  EXPECT_FALSE(e.exact);
  EXPECT_EQ(e.nnz, 5000);
  EXPECT_EQ(e.low, 4966);  // 3.7 / 100 * 900 = 33.3
  EXPECT_EQ(e.high, 5034);
}

TEST(Estimator, SpreadWidensTheInterval) {
  sampled_stratum s{10'000, 100'000, {}, {}};
  for (int i = 0; i < 100; ++i) {
    s.sample_products.push_back(10);
    s.sample_entries.push_back(i % 2 == 0 ? 4 : 6);
  }
  const auto e = combine({&s, 1}, {}, {.known = 0, .most = 100'000});
  EXPECT_EQ(e.nnz, 50'000);
  // t(99) = 1.984; variance = 1e8 * 0.99 * (100 / 99) / 100 = 1e6; allowance 366.3.
  EXPECT_NEAR(static_cast<double>(e.high - e.nnz), std::sqrt(1.984 * 1.984 * 1e6 + 366.3 * 366.3),
              3);
  EXPECT_NEAR(static_cast<double>(e.nnz - e.low), static_cast<double>(e.high - e.nnz), 2);
}

TEST(Estimator, StaysWithinWhatIsCertain) {
  const sampled_stratum s{10, 100, {10, 10}, {1, 10}};
  const auto e = combine({&s, 1}, {}, {.known = 7, .most = 80});
  EXPECT_EQ(e.low, 7 + 11 + 8);  // counted, and one for every row not counted
  EXPECT_EQ(e.high, 80);
  EXPECT_LE(e.low, e.nnz);
  EXPECT_LE(e.nnz, e.high);
}

TEST(Estimator, StudentFactors) {
  EXPECT_NEAR(student_factor(1), 12.706, 1e-3);
  EXPECT_NEAR(student_factor(4), 2.776, 1e-3);
  EXPECT_NEAR(student_factor(5), 2.571, 0.01);
  EXPECT_NEAR(student_factor(10), 2.228, 2e-3);
  EXPECT_NEAR(student_factor(1e9), 1.96, 1e-3);
}

TEST(Estimator, PartOfARowBoundsTheWhole) {
  // All 100 columns were seen already: nothing is left to guess.
  const auto full = extrapolate({10, 1000, 100, 0}, 10'000, 100);
  EXPECT_EQ(full.low, 100);
  EXPECT_EQ(full.high, 100);
  EXPECT_EQ(full.estimate, 100);
  // Nothing came twice: up to ten times as much is possible, and likely.
  const auto fresh = extrapolate({10, 1000, 1000, 0}, 10'000, 1'000'000'000);
  EXPECT_EQ(fresh.low, 1000);
  EXPECT_EQ(fresh.high, 10'000);
  EXPECT_NEAR(fresh.estimate, 10'000, 1);
  // Random throws on 5000 places: 1000 hit 906, 10000 hit 4323.
  const auto some = extrapolate({10, 1000, 906, 0}, 10'000, 1'000'000);
  EXPECT_NEAR(some.estimate, 4323, 20);
  EXPECT_EQ(extrapolate({0, 0, 0, 0}, 500, 300).high, 300);
}

TEST(Peaks, Formulas) {
  // C: 100 x 50, 300 nonzeros: 101 * 4 + 300 * 12 = 4004 bytes; row counts 808.
  const product_sizes s{.shape = {100, 50},
                        .nnz = 300,
                        .flop = 1000,
                        .most_products = 20,
                        .longest_row = 5,
                        .left_nnz = 70,
                        .values = value_type::f64,
                        .threads = 2};
  EXPECT_EQ(adaptive_bytes(s), 2 * 4004 + 808 + 2 * (50 * 8 + 7));
  EXPECT_EQ(hash_bytes(s), 4004 + 2 * 808 + 2 * 64 * 20);  // twice 20, rounded up to 64 places
  EXPECT_EQ(heap_bytes(s), 4004 + 2 * 808 + 2 * 5 * 32);
  EXPECT_EQ(spa_bytes(s), 4004 + 2 * 808 + 2 * 50 * 20);
  EXPECT_EQ(pb_bytes(s), 4004 + 2 * 808 + 1000 * 16 + 2 * 512);
  EXPECT_EQ(esc_bytes(s), 4004 + 2 * 808 + 8 * 70 + 1000 * 32);
  product_sizes sliced = s;
  sliced.flop = index_t{1} << 30;
  EXPECT_EQ(esc_bytes(sliced), 2 * 4004 + 2 * 808 + 8 * 70 + (index_t{1} << 24) * 32);
  const auto all = peak_bytes(s);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[1].algorithm, "hash");
  EXPECT_EQ(all[5].bytes, esc_bytes(s));
}

TEST(Peaks, StopInsteadOfWrapping) {
  const index_t huge = index_t{1} << 61, most = std::numeric_limits<index_t>::max();
  const product_sizes s{.shape = {1000, huge},
                        .nnz = huge,
                        .flop = huge,
                        .most_products = huge,
                        .longest_row = huge,
                        .values = value_type::f64,
                        .threads = 64};
  for (const auto& p : peak_bytes(s)) EXPECT_EQ(p.bytes, most) << p.algorithm;
}

}  // namespace
}  // namespace gossamer::analysis
