// SELL layouts of plans: which slots become straight, free or wide, which rows are stored alone,
// and that every variant multiplies them correctly, never reading an element of x that no nonzero
// refers to.
#include "kernels/spmv/sell/sell_layout.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "gossamer/multiply.hpp"

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
  small_csr<T> result{.cols = n};
  for (std::int32_t i = 0; i < n; ++i) {
    std::vector<std::int32_t> row;
    for (std::int32_t j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) row.push_back(j);
    result.add_row(row);
  }
  return result;
}

/// Lengths from 0 to `longest`, columns all over.
template <class T>
small_csr<T> scattered(index_t rows, std::int32_t cols, unsigned longest) {
  small_csr<T> result{.cols = cols};
  std::mt19937 random(5);
  for (index_t i = 0; i < rows; ++i) {
    std::vector<std::int32_t> row(i % 97 == 3 ? 5 * longest : random() % (longest + 1));
    for (auto& column : row)
      column = static_cast<std::int32_t>(random() % static_cast<unsigned>(cols));
    result.add_row(row);
  }
  return result;
}

/// The same with a last value that is no float: a layout of doubles must stay one.
small_csr<double> no_floats(small_csr<double> of, double last) {
  if (!of.values.empty()) of.values.back() = last;
  return of;
}

/// Whole numbers, so that sums are exact; elements of x that no nonzero refers to are Inf.
template <class T>
void expect_right(const small_csr<T>& of, int threads) {
  const auto a = of.ref();
  std::vector<T> x(static_cast<std::size_t>(a.cols), std::numeric_limits<T>::infinity());
  for (const auto column : of.columns)
    x[static_cast<std::size_t>(column)] = static_cast<T>(column % 5);
  const auto layout = sliced(a, threads);
  for (const auto multiply : usable(sell_multipliers<T>())) {
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
    expect_right(no_floats(tridiagonal<double>(1000), 16'777'217), threads);
    expect_right(no_floats(scattered<double>(5000, 700, 20), 16'777'217), threads);
    expect_right(no_floats(scattered<double>(5000, 200'000, 90), 16'777'217), threads);
  }
}

/// Every row but the last is bitwise the same, however its values are stored.
void expect_same_bits(small_csr<double> of) {
  std::mt19937 random(7);
  std::normal_distribution<float> any;
  for (auto& value : of.values) value = any(random);
  of.values.front() = -0.0;
  const auto inexact = no_floats(of, 0.1);
  std::vector<double> x(static_cast<std::size_t>(of.cols));
  for (auto& element : x) element = std::normal_distribution<double>{}(random);
  const auto narrow = sliced(of.ref(), 2), wide = sliced(inexact.ref(), 2);
  ASSERT_EQ(narrow.values.size(), 0);
  ASSERT_EQ(wide.floats.size(), 0);
  EXPECT_EQ(narrow.floats.size(), wide.values.size());
  EXPECT_EQ(wide.bytes() - narrow.bytes(), 4 * wide.values.size());
  const auto rows = of.offsets.size() - 1;
  for (const auto multiply : usable(sell_multipliers<double>())) {
    std::vector<double> y(rows, 3), z(rows, 3);
    multiply({&narrow, x.data(), y.data(), 0.3, 0.7}, {0, narrow.cuts.back()});
    multiply({&wide, x.data(), z.data(), 0.3, 0.7}, {0, wide.cuts.back()});
    for (std::size_t i = 0; i + 1 < rows; ++i)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(y[i]), std::bit_cast<std::uint64_t>(z[i])) << i;
    EXPECT_NE(y.back(), z.back());
  }
}

TEST(sell_layout, doubles_that_are_floats_are_kept_as_floats_with_the_same_bits) {
  expect_same_bits(tridiagonal<double>(1003));
  auto a = scattered<double>(20'000, 200'000, 90);  // some rows alone, some wide
  a.add_row({5});
  expect_same_bits(a);
}

TEST(sell_layout, floats_hold_infinities_and_nans_but_not_what_would_lose_a_bit) {
  const auto kept_as_floats = [](double value) {
    auto a = tridiagonal<double>(500);
    a.values[700] = value;
    return sliced(a.ref(), 1).floats.size() > 0;
  };
  using of_double = std::numeric_limits<double>;
  using of_float = std::numeric_limits<float>;
  for (const double exact :
       {0.0, -0.0, of_double::infinity(), -of_double::infinity(), of_double::quiet_NaN(),
        double{of_float::denorm_min()}, double{of_float::max()}, 16'777'216.0, 0.1 + 0.4})
    EXPECT_TRUE(kept_as_floats(exact)) << exact;
  for (const double inexact : {0.1, 16'777'217.0, 1e300, of_double::denorm_min(),
                               std::bit_cast<double>(0x7ff8'0000'0000'0001u)})
    EXPECT_FALSE(kept_as_floats(inexact)) << inexact;
  EXPECT_EQ(sliced(tridiagonal<float>(500).ref(), 1).floats.size(), 0);
}

TEST(sell_layout, plans_say_whether_they_expect_floats) {
  const auto said = [](const small_csr<double>& a) {
    const index_t rows = std::ssize(a.offsets) - 1;
    const csr_view<const double> view(a.values.data(), a.offsets.data(), a.columns.data(),
                                      {rows, a.cols});
    std::vector<double> x(static_cast<std::size_t>(a.cols)), y(static_cast<std::size_t>(rows));
    const auto why =
        multiply_inspect(context::openmp(1), view, x, y,
                         {.algorithm = "sell", .expected_calls = 1000, .constant_values = true})
            .explain();
    return why.because;
  };
  auto a = tridiagonal<double>(50'000);
  EXPECT_NE(said(a).find("floats for doubles"), std::string::npos) << said(a);
  for (auto& value : a.values) value += 0.1;
  EXPECT_EQ(said(a).find("floats for doubles"), std::string::npos) << said(a);
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
