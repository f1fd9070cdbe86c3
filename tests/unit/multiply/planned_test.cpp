// y = A x with a plan: results must not depend on what the plan keeps of A, whatever changes
// between two calls, and the shortcut to the kernel must refuse and compute what the full path
// does.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "expect_error.hpp"
#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

/// Whole numbers, so that sums are exact in any order. Rows of 0 to 2 * mean entries, a long one.
template <class T>
struct random_matrix {
  index_t rows, cols;
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<T> values;

  random_matrix(index_t rows, index_t cols, index_t mean, unsigned seed) : rows(rows), cols(cols) {
    std::mt19937 random(seed);
    for (index_t i = 0; i < rows; ++i) {
      const index_t length = i == rows / 2 ? cols : static_cast<index_t>(random() % (2 * mean + 1));
      for (index_t k = 0; k < length; ++k)
        columns.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(cols)));
      offsets.push_back(static_cast<std::int32_t>(columns.size()));
    }
    values.resize(columns.size());
    new_values(seed);
  }
  void new_values(unsigned seed) {
    std::mt19937 random(seed);
    for (auto& v : values) v = static_cast<T>(static_cast<int>(random() % 9) - 4);
  }
  csr_view<const T> view() const {
    return {values.data(), offsets.data(), columns.data(), {rows, cols}};
  }
};

template <class T>
std::vector<T> counted_up(index_t n) {
  std::vector<T> x(static_cast<std::size_t>(n));
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = static_cast<T>(j % 7) - 3;
  return x;
}

template <class T>
std::vector<T> wanted(const random_matrix<T>& a, const std::vector<T>& x) {
  std::vector<T> y(static_cast<std::size_t>(a.rows));
  for (std::size_t i = 0; i < y.size(); ++i)
    for (auto p = static_cast<std::size_t>(a.offsets[i]);
         p < static_cast<std::size_t>(a.offsets[i + 1]); ++p)
      y[i] += a.values[p] * x[static_cast<std::size_t>(a.columns[p])];
  return y;
}

template <class T>
void check_changing_values(index_t rows, index_t cols, index_t mean) {
  random_matrix<T> a(rows, cols, mean, 1);
  const auto x = counted_up<T>(cols);
  for (const int threads : {1, 2, 3, 8})
    for (const char* algorithm : {"rows", "merge"}) {
      std::vector<T> y(static_cast<std::size_t>(rows), std::numeric_limits<T>::quiet_NaN());
      const plan prepared = multiply_inspect(context::openmp(threads), a.view(), x, y,
                                             {.algorithm = algorithm, .expected_calls = 10});
      for (unsigned seed = 2; seed < 5; ++seed) {
        a.new_values(seed);
        multiply(prepared, a.view(), x, y);
        ASSERT_EQ(y, wanted(a, x)) << algorithm << ", " << threads << " threads, " << rows;
      }
    }
}

TEST(Planned, ValuesChangeBetweenCalls) {
  for (const index_t rows : {1, 2, 9, 300}) check_changing_values<double>(rows, 40, 3);
  check_changing_values<float>(300, 40, 3);
  check_changing_values<double>(30'000, 100, 2);  // brief
  check_changing_values<float>(30'000, 100, 2);
  check_changing_values<double>(30'000, 100, 15);  // uneven
}

TEST(Planned, SizesWhereThreadsBegin) {
  for (index_t rows = 500; rows < 6000; rows = rows * 5 / 4)
    check_changing_values<double>(rows, 100, 8);
}

TEST(Planned, BitsOfAnyNumberOfThreads) {
  random_matrix<double> a(40'000, 1000, 6, 3);
  for (std::size_t k = 0; k < a.values.size(); ++k) a.values[k] = 1.0 / static_cast<double>(k + 3);
  const auto x = counted_up<double>(a.cols);
  std::vector<double> one(40'000), many(40'000);
  const options rows{.algorithm = "rows"};
  multiply(multiply_inspect(context::openmp(1), a.view(), x, one, rows), a.view(), x, one);
  for (const int threads : {2, 3, 17}) {
    multiply(multiply_inspect(context::openmp(threads), a.view(), x, many, rows), a.view(), x,
             many);
    EXPECT_EQ(one, many) << threads;
  }
}

TEST(Planned, RowsTakesOtherRowsOfTheSameCount) {
  const random_matrix<double> a(4000, 300, 9, 1);
  random_matrix<double> b = a;  // the same number of entries, all in the first rows
  std::fill(b.offsets.begin() + 20, b.offsets.end(), b.offsets.back());
  const auto x = counted_up<double>(a.cols);
  std::vector<double> y(4000);
  const plan prepared = multiply_inspect(context::openmp(3), a.view(), x, y, {.algorithm = "rows"});
  multiply(prepared, b.view(), x, y);
  EXPECT_EQ(y, wanted(b, x));
}

class ShortWay : public testing::Test {
 protected:
  random_matrix<double> a{50, 50, 4, 1};
  std::vector<double> x = counted_up<double>(50), y = std::vector<double>(50);
  plan prepared = multiply_inspect(context::openmp(2), a.view(), x, y);
};

TEST_F(ShortWay, ScalesBothOperands) {
  multiply(prepared, scaled(2.0, a.view()), scaled(-3.0, x), y);
  auto expected = wanted(a, x);
  for (auto& e : expected) e *= -6;
  EXPECT_EQ(y, expected);
}

TEST_F(ShortWay, ZeroNeverReadsA) {
  for (auto& v : a.values) v = std::numeric_limits<double>::quiet_NaN();
  y.assign(50, 5);
  multiply(prepared, scaled(0.0, a.view()), x, y);
  EXPECT_EQ(y, std::vector<double>(50));
}

TEST_F(ShortWay, AddsWhatWasAskedFor) {
  y.assign(50, 5);
  multiply(prepared, a.view(), x, scaled(2.0, y), y);
  auto expected = wanted(a, x);
  for (auto& e : expected) e += 10;
  EXPECT_EQ(y, expected);
}

TEST_F(ShortWay, RefusesOverlaps) {
  expect_error([&] { multiply(prepared, a.view(), x, x); },
               {error_kind::bad_argument, {"overlaps x"}});
  std::vector<double> both(99);
  expect_error(
      [&] {
        multiply(prepared, a.view(), std::span<const double>(both).first(50),
                 std::span<double>(both).last(50));
      },
      {error_kind::bad_argument, {"overlaps x"}});
  expect_error([&] { multiply(prepared, a.view(), x, std::span<double>(a.values).first(50)); },
               {error_kind::bad_argument, {"overlaps A"}});
}

TEST_F(ShortWay, RefusesOtherOperands) {
  const random_matrix<double> other(50, 50, 5, 1);
  expect_error([&] { multiply(prepared, other.view(), x, y); },
               {error_kind::bad_argument, {"the plan was made for"}});
  expect_error([&] { multiply(prepared, transposed(a.view()), x, y); },
               {error_kind::bad_argument, {"the plan was made for", "csc"}});
  const random_matrix<float> floats(50, 50, 4, 1);
  std::vector<float> fx(50), fy(50);
  expect_error([&] { multiply(prepared, floats.view(), fx, fy); },
               {error_kind::bad_argument, {"the plan was made for", "f32"}});
  expect_error([&] { multiply(prepared, a.view(), fx, y); }, {error_kind::bad_argument, {"f32"}});
  std::vector<double> shorter(49);
  expect_error([&] { multiply(prepared, a.view(), shorter, y); },
               {error_kind::bad_argument, {"49"}});
  expect_error([&] { multiply(prepared, a.view(), x, shorter); },
               {error_kind::bad_argument, {"49"}});
}

TEST_F(ShortWay, RefusesColumnsOfWiderBlocks) {
  const dense_matrix<double> block(50, 3);
  const dense_view<const double> column({50, 1}, layout::row_major, 3, block.values().data());
  expect_error([&] { multiply(prepared, a.view(), column, y); },
               {error_kind::bad_argument, {"side by side", "x (50 x 1)", "3 apart"}});
}

}  // namespace
}  // namespace gossamer
