// What unplanned products remember: decisions, which are used again for the same matrix, and can
// never make the product with another one wrong.
#include "multiply/plans/remembered.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

/// Whole numbers: sums are exact in any order.
struct changing_matrix {
  index_t rows, cols;
  std::vector<std::int32_t> offsets, columns;
  std::vector<double> values;

  changing_matrix(index_t rows, index_t cols, index_t nnz)
      : rows(rows),
        cols(cols),
        offsets(static_cast<std::size_t>(rows) + 1),
        columns(static_cast<std::size_t>(nnz)),
        values(static_cast<std::size_t>(nnz)) {
    fill(1);
  }
  /// Other rows, columns and values in the same arrays.
  void fill(unsigned seed) {
    std::mt19937 random(seed);
    const auto nnz = static_cast<std::int32_t>(columns.size());
    std::vector<std::int32_t> cuts(static_cast<std::size_t>(rows) - 1);
    for (auto& c : cuts) c = static_cast<std::int32_t>(random() % static_cast<unsigned>(nnz + 1));
    std::sort(cuts.begin(), cuts.end());
    std::copy(cuts.begin(), cuts.end(), offsets.begin() + 1);
    offsets.front() = 0, offsets.back() = nnz;
    for (auto& c : columns) c = static_cast<std::int32_t>(random() % static_cast<unsigned>(cols));
    for (auto& v : values) v = static_cast<double>(random() % 9) - 4;
  }
  csr_view<const double> view() const {
    return {values.data(), offsets.data(), columns.data(), {rows, cols}};
  }
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < y.size(); ++i)
      for (auto p = offsets[i]; p < offsets[i + 1]; ++p)
        y[i] += values[static_cast<std::size_t>(p)] *
                x[static_cast<std::size_t>(columns[static_cast<std::size_t>(p)])];
    return y;
  }
};

std::vector<double> counted(index_t n) {
  std::vector<double> x(static_cast<std::size_t>(n));
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = static_cast<double>(j % 7) - 3;
  return x;
}

/// Calls that used a decision while f ran.
template <class F>
index_t used(F&& f) {
  const index_t before = detail::remembered_calls();
  f();
  return detail::remembered_calls() - before;
}

TEST(Remembered, TheSecondCallUsesTheFirstOnesDecision) {
  for (const int threads : {1, 3}) {
    const auto cpu = context::openmp(threads);
    const changing_matrix a(30'000, 20'000, 200'000);
    const auto x = counted(a.cols), wanted = a.times(x);
    std::vector<double> y(wanted.size());
    EXPECT_EQ(used([&] { multiply(cpu, a.view(), x, y); }), 0);
    EXPECT_EQ(y, wanted);
    for (int call = 0; call < 3; ++call) {
      std::fill(y.begin(), y.end(), -1.0);
      EXPECT_EQ(used([&] { multiply(cpu, a.view(), x, y); }), 1);
      EXPECT_EQ(y, wanted);
    }
  }
}

TEST(Remembered, ValuesAreReadInEveryCall) {
  const auto cpu = context::openmp(2);
  changing_matrix a(500, 400, 6000);
  const auto x = counted(a.cols);
  std::vector<double> y(500);
  multiply(cpu, a.view(), x, y);
  for (auto& v : a.values) v = 3 - v;
  EXPECT_EQ(used([&] { multiply(cpu, a.view(), x, y); }), 1);
  EXPECT_EQ(y, a.times(x));
}

TEST(Remembered, AMatrixThatWasRewrittenInItsArraysIsMultipliedRight) {
  const auto cpu = context::openmp(3);
  changing_matrix a(40'000, 1000, 300'000);
  const auto x = counted(a.cols);
  std::vector<double> y(40'000);
  for (unsigned seed = 1; seed < 20; ++seed) {
    a.fill(seed);
    multiply(cpu, a.view(), x, y);
    ASSERT_EQ(y, a.times(x)) << "seed " << seed;
    multiply(cpu, a.view(), x, y);
    ASSERT_EQ(y, a.times(x)) << "seed " << seed;
  }
}

TEST(Remembered, EvenWhenTheFingerprintCannotSeeIt) {
  // Rows change between the offsets that are looked at: the decision is used, and right.
  const auto cpu = context::openmp(3);
  changing_matrix a(170'000, 1000, 680'000);
  for (std::size_t i = 0; i < a.offsets.size(); ++i)
    a.offsets[i] = static_cast<std::int32_t>(4 * i);
  const auto x = counted(a.cols);
  std::vector<double> y(170'000);
  multiply(cpu, a.view(), x, y);
  for (std::size_t i = 20; i < 9000; ++i) a.offsets[i] = 4 * 9000;  // one long row, many empty ones
  EXPECT_EQ(used([&] { multiply(cpu, a.view(), x, y); }), 1);
  EXPECT_EQ(y, a.times(x));
}

TEST(Remembered, AnotherMatrixAtTheSameAddress) {
  const auto cpu = context::openmp(2);
  std::vector<double> y(900);
  changing_matrix a(900, 700, 8000);
  multiply(cpu, a.view(), counted(700), y);
  // Fewer rows, columns and nonzeros in the same arrays.
  a.offsets[600] = 5000;
  for (std::size_t i = 0; i < 600; ++i) a.offsets[i] = std::min(a.offsets[i], 5000);
  std::sort(a.offsets.begin(), a.offsets.begin() + 601);
  a.offsets[0] = 0, a.offsets[600] = 5000;
  for (auto& c : a.columns) c %= 300;
  changing_matrix smaller = a;
  smaller.rows = 600, smaller.cols = 300;
  const csr_view<const double> view(a.values.data(), a.offsets.data(), a.columns.data(),
                                    {600, 300});
  std::vector<double> z(600);
  EXPECT_EQ(used([&] { multiply(cpu, view, counted(300), z); }), 0);
  EXPECT_EQ(z, smaller.times(counted(300)));
}

TEST(Remembered, WhatIsWrongIsStillRefused) {
  const auto cpu = context::openmp(1);
  const changing_matrix a(50, 40, 300);
  const auto x = counted(40);
  std::vector<double> y(50), short_x(39), short_y(49);
  multiply(cpu, a.view(), x, y);
  multiply(cpu, a.view(), x, y);
  EXPECT_THROW(multiply(cpu, a.view(), short_x, y), error);
  EXPECT_THROW(multiply(cpu, a.view(), x, short_y), error);
}

TEST(Remembered, OtherWishesAreDecidedAnew) {
  const auto cpu = context::openmp(2);
  const changing_matrix a(5000, 4000, 60'000);
  const auto x = counted(a.cols), wanted = a.times(x);
  std::vector<double> y(wanted.size());
  multiply(cpu, a.view(), x, y);
  for (const options& how :
       {options{.algorithm = "merge"}, options{.deterministic = true},
        options{.memory_limit = 1 << 30}, options{.expected_calls = 50}, options{.threads = 1}}) {
    EXPECT_EQ(used([&] { multiply(cpu, a.view(), x, y, how); }), 0);
    EXPECT_EQ(y, wanted);
  }
  EXPECT_EQ(used([&] { multiply(context::reference(), a.view(), x, y); }), 0);
}

TEST(Remembered, ScalesAreThoseOfTheCall) {
  const auto cpu = context::openmp(2);
  const changing_matrix a(700, 600, 5000);
  const auto x = counted(a.cols);
  auto wanted = a.times(x);
  std::vector<double> y(wanted.size());
  multiply(cpu, a.view(), x, y);
  EXPECT_EQ(used([&] { multiply(cpu, scaled(2.0, a.view()), x, y); }), 1);
  for (auto& v : wanted) v *= 2;
  EXPECT_EQ(y, wanted);
}

TEST(Remembered, EveryThreadHasItsOwn) {
  const changing_matrix a(3000, 2000, 20'000);
  const auto x = counted(a.cols), wanted = a.times(x);
  std::vector<std::thread> callers;
  std::vector<int> right(4);
  for (std::size_t t = 0; t < right.size(); ++t)
    callers.emplace_back([&, t] {
      const auto cpu = context::openmp(2);
      std::vector<double> y(wanted.size());
      int good = 0;
      for (int call = 0; call < 20; ++call) {
        multiply(cpu, a.view(), x, y);
        good += y == wanted ? 1 : 0;
      }
      right[t] = good;
    });
  for (auto& c : callers) c.join();
  EXPECT_EQ(right, std::vector<int>(4, 20));
}

}  // namespace
}  // namespace gossamer
