// tune::measure: which kernels run, which one stays, and what is said about it. Time is ours: fake
// kernels move a clock.
#include "multiply/plans/measure_kernels.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "expect_error.hpp"
#include "gossamer/gossamer.hpp"
#include "kernels/catalog.hpp"
#include "plan/describe_problem.hpp"

namespace gossamer {
namespace {

double fake_now = 0;
int prepared[4] = {}, runs[4] = {};
const void* written = nullptr;

template <int Predicted, int Prepare = 0>
verdict says(const problem&, const machine&) {
  return {.possible = true,
          .prepare_seconds = Prepare * 1e-6,
          .run_seconds = Predicted * 1e-6,
          .because = "it says so"};
}
template <int Number, int Prepare>
state prepares(const problem&, const operands&, const context&) {
  fake_now += Prepare * 1e-6;
  ++prepared[Number];
  return {.bytes = Number};
}
template <int Number, int Takes>
void takes(const state&, const operands& o, const context&) {
  fake_now += Takes * 1e-6;
  ++runs[Number];
  written = std::get<dense_view<double>>(*o.dense).values;
}

constexpr kernel hopeful{.id = "spmv/csr/hopeful/openmp",
                         .consider = says<10>,
                         .prepare = prepares<0, 1>,
                         .run = takes<0, 90>};
constexpr kernel modest{.id = "spmv/csr/modest/openmp",
                        .consider = says<20>,
                        .prepare = prepares<1, 1>,
                        .run = takes<1, 30>};
constexpr kernel costly{.id = "spmv/csr/costly/openmp",
                        .consider = says<15, 1000>,
                        .prepare = prepares<2, 4000>,
                        .run = takes<2, 25>};
constexpr kernel hopeless{.id = "spmv/csr/hopeless/openmp",
                          .consider = says<500>,
                          .prepare = prepares<3, 1>,
                          .run = takes<3, 1>};
constexpr const kernel* field[] = {&hopeful, &modest, &costly, &hopeless};

class Measure : public testing::Test {
 protected:
  detail::measured_choice measure(const options& how) {
    fake_now = 0;
    for (int k = 0; k < 4; ++k) prepared[k] = runs[k] = 0;
    operands o;
    o.a = express(a);
    o.b = express(dense_view<const double>(x.data(), 10, memory::host));
    o.dense = dense_view<double>(y.data(), 10, memory::host);
    o.beta = 0.0;
    const auto cpu = context::openmp(1);
    const problem p = describe_dense(cpu, o, how);
    return detail::measure_kernels(p, o, cpu, choose(p, this_machine(), field), field,
                                   [] { return fake_now; });
  }
  csr_matrix<double> a = generate::poisson2d<double>(context::reference(), 5, 2);
  std::vector<double> x = std::vector<double>(10, 1.0), y = std::vector<double>(10, 7.0);
};

TEST_F(Measure, TheFastestOfThreeStays) {
  const auto got = measure({.expected_calls = 1'000'000, .tune = tune::measure});
  EXPECT_EQ(got.chosen.chosen, &costly);  // 25 us; its preparation is nothing among so many calls
  EXPECT_EQ(got.prepared.bytes, 2);       // and is not done again
  EXPECT_EQ(prepared[2], 1);
  EXPECT_EQ(prepared[3], 0);  // 50 times the best prediction: not tried, though it would win
}

TEST_F(Measure, PreparationIsSharedOutOverTheCalls) {
  EXPECT_EQ(measure({.expected_calls = 100, .tune = tune::measure}).chosen.chosen, &modest);
}

TEST_F(Measure, TheBudgetEndsItAndTheFirstIsAlwaysRun) {
  const auto got = measure({.expected_calls = 1000, .tune = tune::measure, .tune_seconds = 0});
  EXPECT_EQ(got.chosen.chosen, &hopeful);
  EXPECT_EQ(prepared[1] + prepared[2] + prepared[3], 0);
  EXPECT_EQ(runs[0], 3);  // once to begin with, twice for the clock
}

TEST_F(Measure, TheResultIsNotWritten) {
  measure({.expected_calls = 10, .tune = tune::measure});
  EXPECT_NE(written, y.data());
  EXPECT_EQ(y, std::vector<double>(10, 7.0));
}

TEST_F(Measure, ItSaysSo) {
  const auto why = measure({.expected_calls = 1000, .tune = tune::measure}).chosen.why;
  EXPECT_EQ(why.chosen, costly.id);
  EXPECT_NE(why.because.find("the fastest of 3 measured"), why.because.npos) << why.because;
  EXPECT_NE(why.because.find("spmv/csr/hopeful/openmp took 3.10 times as long"), why.because.npos)
      << why.because;
  const auto text = why.text();
  EXPECT_NE(text.find("measured 30 us after 1 us once"), text.npos) << text;
  const auto parsed = nlohmann::json::parse(why.json());
  EXPECT_NEAR(parsed["considered"][1]["measured"]["run_seconds"], 30e-6, 1e-9);
  EXPECT_NEAR(parsed["considered"][2]["measured"]["prepare_seconds"], 4e-3, 1e-9);
  EXPECT_FALSE(parsed["considered"][3].contains("measured"));
}

TEST(TuneMeasure, APlanOfTheRealKernelsIsRight) {
  const auto cpu = context::openmp(2);
  const auto a = generate::rmat<double>(cpu, 10, 8);
  const std::vector<double> x(static_cast<std::size_t>(a.cols()), 0.5);
  std::vector<double> y(static_cast<std::size_t>(a.rows()), -1), wanted(y.size());
  multiply(context::reference(), a, x, wanted);
  const auto plan = multiply_inspect(cpu, a, x, y,
                                     {.expected_calls = 1000,
                                      .constant_values = true,
                                      .tune = tune::measure,
                                      .tune_seconds = 0.01});
  EXPECT_EQ(y, std::vector<double>(y.size(), -1));
  int measured = 0;
  for (const auto& c : plan.explain().all) measured += c.measured ? 1 : 0;
  EXPECT_GE(measured, 1);
  EXPECT_LE(measured, 3);
  multiply(plan, a, x, y);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], wanted[i], 1e-12 * (1 + wanted[i]));
}

TEST(TuneMeasure, BlocksAndAddends) {
  const auto cpu = context::openmp(2);
  const auto a = generate::rmat<float>(cpu, 8, 8);
  dense_matrix<float> b(a.cols(), 3), c(a.rows(), 3), wanted(a.rows(), 3);
  for (index_t i = 0; i < b.rows(); ++i)
    for (index_t j = 0; j < 3; ++j) b(i, j) = static_cast<float>(i % 5 + j);
  multiply(context::reference(), a, b, wanted);
  const auto plan = multiply_inspect(cpu, a, b, c, {.tune = tune::measure, .tune_seconds = 0.01});
  multiply(plan, a, b, c);
  for (index_t i = 0; i < c.rows(); ++i)
    for (index_t j = 0; j < 3; ++j)
      EXPECT_NEAR(c(i, j), wanted(i, j), 1e-4f * (1 + std::abs(wanted(i, j))));
}

TEST(TuneMeasure, WhatItCannotDoIsRefused) {
  const auto cpu = context::openmp(1);
  const auto a = generate::poisson2d<double>(cpu, 4, 4);
  const std::vector<double> x(16, 1.0);
  std::vector<double> y(16);
  const auto refused = [&](const options& how, const char* reason) {
    try {
      (void)multiply_inspect(cpu, a, x, y, how);
      FAIL() << "accepted";
    } catch (const error& e) {
      EXPECT_EQ(e.kind(), error_kind::bad_argument);
      EXPECT_NE(std::string_view(e.what()).find(reason), std::string_view::npos) << e.what();
    }
  };
  refused({.algorithm = "rows", .tune = tune::measure}, "the algorithm is 'rows'");
  refused({.deterministic = true, .tune = tune::measure}, "deterministic");
  refused({.tune = tune::measure, .tune_seconds = -1}, "tune_seconds is -1");
  EXPECT_THROW(multiply(cpu, a, x, y, {.tune = tune::measure}), error);
  EXPECT_THROW((void)multiply(cpu, a, a, {.tune = tune::measure}), error);
}

}  // namespace
}  // namespace gossamer
