#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

explanation sample() {
  const double values[] = {1, 2, 3};
  const int offsets[] = {0, 1, 3}, columns[] = {0, 0, 1};
  const csr_view<const double> a(values, offsets, columns, {2, 2});
  std::vector<double> x(2), y(2);
  return multiply_inspect(context::openmp(2), a, x, y, {.expected_calls = 1000}).explain();
}

TEST(Explain, TextNamesTheChoiceTheReasonAndTheOthers) {
  const auto why = sample();
  std::ostringstream printed;
  printed << why;
  EXPECT_EQ(printed.str(), why.text());
  for (const char* part : {"chosen spmv/csr/", "because ", "considered", "spmv/csr/merge/openmp",
                           "no: takes COO", "1,000 calls", "A (f64 csr, 2 x 2, 3 entries)"})
    EXPECT_NE(why.text().find(part), std::string::npos) << part << " in\n" << why.text();
}

TEST(Explain, JsonHoldsTheSame) {
  const auto why = sample();
  const auto parsed = nlohmann::json::parse(why.json());
  EXPECT_EQ(parsed["operation"], "spmv");
  EXPECT_EQ(parsed["chosen"], why.chosen);
  EXPECT_EQ(parsed["expected_calls"], 1000);
  ASSERT_EQ(parsed["considered"].size(), why.all.size());
  EXPECT_EQ(parsed["considered"][0]["kernel"], why.all[0].kernel);
  EXPECT_TRUE(parsed["considered"][0]["run_seconds"].is_number());
}

}  // namespace
}  // namespace gossamer
