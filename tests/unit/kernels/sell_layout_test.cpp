// SELL layouts of plans: what becomes straight, free, wide or alone, and that every way of this
// processor multiplies them right, never touching an element of x that no entry names.
#include "kernels/shared/sell_layout.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace gossamer {
namespace {

template <class T>
struct small_csr {
  index_t cols = 0;
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<T> values;

  void add_row(const std::vector<std::int32_t>& row) {
    for (const auto column : row) {
      columns.push_back(column);
      values.push_back(static_cast<T>(1 + columns.size() % 7));
    }
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  csr_ref<const T, std::int32_t, std::int32_t> ref() const {
    return {static_cast<index_t>(offsets.size()) - 1, cols, offsets.data(), columns.data(),
            values.data()};
  }
};

template <class T>
small_csr<T> tridiagonal(std::int32_t n) {
  small_csr<T> made{.cols = n};
  for (std::int32_t i = 0; i < n; ++i) {
    std::vector<std::int32_t> row;
    for (std::int32_t j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) row.push_back(j);
    made.add_row(row);
  }
  return made;
}

/// Lengths from 0 to `longest`, columns all over.
template <class T>
small_csr<T> scattered(index_t rows, std::int32_t cols, unsigned longest) {
  small_csr<T> made{.cols = cols};
  std::mt19937 random(5);
  for (index_t i = 0; i < rows; ++i) {
    std::vector<std::int32_t> row(i % 97 == 3 ? 5 * longest : random() % (longest + 1));
    for (auto& column : row)
      column = static_cast<std::int32_t>(random() % static_cast<unsigned>(cols));
    made.add_row(row);
  }
  return made;
}

/// Whole numbers, so that sums are exact; what no entry names is Inf.
template <class T>
void expect_right(const small_csr<T>& of, int threads) {
  const auto a = of.ref();
  std::vector<T> x(static_cast<std::size_t>(a.cols), std::numeric_limits<T>::infinity());
  for (const auto column : of.columns)
    x[static_cast<std::size_t>(column)] = static_cast<T>(column % 5);
  const auto layout = sliced(a, threads);
  for (const auto multiply : sell_multipliers<T>()) {
    std::vector<T> y(static_cast<std::size_t>(a.rows), 10);
    multiply({&layout, x.data(), y.data(), T{2}, T{-1}}, {0, layout.cuts.back()});
    for (index_t i = 0; i < a.rows; ++i) {
      T sum = 0;
      for (index_t p = a.offsets[i]; p < a.offsets[i + 1]; ++p)
        sum += a.values[p] * x[static_cast<std::size_t>(a.columns[p])];
      ASSERT_EQ(y[static_cast<std::size_t>(i)], 2 * sum - 10) << "row " << i;
    }
  }
}

TEST(sell_layout, products) {
  for (const int threads : {1, 3}) {
    expect_right(tridiagonal<double>(1000), threads);
    expect_right(tridiagonal<float>(1000), threads);
    expect_right(tridiagonal<double>(3), threads);
    expect_right(scattered<double>(5000, 700, 20), threads);
    expect_right(scattered<double>(5000, 200'000, 90), threads);
    expect_right(scattered<float>(5000, 200'000, 90), threads);
    expect_right(small_csr<double>{.cols = 4}, threads);
  }
}

TEST(sell_layout, bands_are_straight_even_where_a_lane_is_missing) {
  const auto layout = sliced(tridiagonal<double>(800).ref(), 1);
  EXPECT_TRUE(layout.row_order.empty());
  ASSERT_EQ(layout.groups.size(), 101u);
  for (std::size_t g = 0; g < 100; ++g) {
    EXPECT_EQ(layout.groups[g].straight, 3) << g;
    EXPECT_EQ(layout.groups[g].free, 0) << g;
  }
  EXPECT_EQ(layout.straight[0], -1);  // lane 0 has no entry there
  EXPECT_EQ(layout.masks[0], 0xfe);
  EXPECT_EQ(layout.masks[1], 0xff);
}

TEST(sell_layout, unlike_rows_are_sorted_and_long_ones_stand_alone) {
  const auto layout = sliced(scattered<double>(2000, 200'000, 90).ref(), 1);
  EXPECT_FALSE(layout.row_order.empty());
  index_t alone = 0, wide = 0;
  for (const auto& g : layout.groups) {
    alone += g.row >= 0 ? 1 : 0;
    wide += g.wide ? 1 : 0;
  }
  EXPECT_EQ(alone, 21);  // rows 3, 100, 197 ...: five times as long as others may be
  EXPECT_GT(wide, 200);
  const auto near = sliced(scattered<double>(2000, 60'000, 90).ref(), 1);
  for (const auto& g : near.groups) EXPECT_FALSE(g.wide);
}

TEST(sell_layout, one_long_row_does_not_move_the_others) {
  auto a = tridiagonal<double>(1000);
  std::vector<std::int32_t> all(1000);
  for (std::int32_t j = 0; j < 1000; ++j) all[static_cast<std::size_t>(j)] = j;
  a.add_row(all);
  const auto layout = sliced(a.ref(), 1);
  ASSERT_EQ(layout.groups.size(), 1u + 125 + 1);  // alone, 1000 / 8, and the end
  EXPECT_EQ(layout.groups[0].row, 1000);
  EXPECT_EQ(layout.groups[1].straight, 3);
  EXPECT_EQ(layout.row_order[8], 0);
  EXPECT_EQ(layout.row_order[9], 1);
  expect_right(a, 2);
}

}  // namespace
}  // namespace gossamer
