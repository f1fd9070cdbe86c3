#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "matrices.hpp"

namespace gossamer {
namespace {

using namespace analysis_tests;

TEST(Render, BarsLabelsAndCounts) {
  EXPECT_EQ(render({{0, 4, 8, 0, 1}}, 18),
            "   1  4  ████▌\n"
            " 2-3  8  █████████\n"
            " 4-7  0\n"
            "8-15  1  █▏\n");
}

TEST(Render, SmallCountsStayVisible) {
  EXPECT_EQ(render({{1, 1'000'000}}, 20),
            "0          1  ▏\n"
            "1  1,000,000  ██████\n");
}

TEST(Render, OfNothingAndTooNarrow) {
  EXPECT_EQ(render({}, 80), "(no rows)\n");
  EXPECT_EQ(render({{0, 0}}, 80), "(no rows)\n");
  EXPECT_EQ(render({{7}}, 0), "0  7  █\n");
}

TEST(Describe, AMatrix) {
  const auto text =
      describe(analyse(context::reference(), matrix_of({{0, 2}, {1}, {0, 3}, {}}, 4)));
  EXPECT_EQ(
      text,
      "shape                4 x 4\n"
      "nonzeros             5 (f64, i32 indices, i32 offsets)\n"
      "order                columns sorted, no duplicates\n"
      "nonzeros per row     min 0, mean 1.25, max 2, deviation 0.8292, imbalance 1.6, 1 empty\n"
      "                     1 %: 0, 5 %: 0, 25 %: 0, 50 %: 1, 75 %: 2, 95 %: 2, 99 %: 2\n"
      "nonzeros per column  min 1, mean 1.25, max 2, deviation 0.433, imbalance 1.6\n"
      "                     1 %: 1, 5 %: 1, 25 %: 1, 50 %: 1, 75 %: 1, 95 %: 2, 99 %: 2\n"
      "bandwidth            2\n"
      "profile              2\n"
      "symmetry             66.67 % of the pattern\n"
      "diagonal             2 of 4 elements stored\n"
      "explicit zeros       0\n"
      "bytes as             csr      80 bytes         1 x CSR\n"
      "                     csc      80 bytes         1 x CSR\n"
      "                     coo      80 bytes         1 x CSR\n"
      "                     ell      96 bytes       1.2 x CSR\n"
      "                     sellp     1.54 KB      19.3 x CSR\n"
      "                     hyb      80 bytes         1 x CSR\n"
      "                     dense   128 bytes       1.6 x CSR\n");
}

TEST(Describe, AProductSaysWhetherItWasCounted) {
  const auto a = matrix_of({{0, 1}, {1}}, 2);
  auto e = estimate(context::reference(), a, a);
  EXPECT_NE(describe(e).find("nonzeros      3 (counted)"), std::string::npos) << describe(e);
  e.exact = false;
  e.nnz_high = 1234;
  EXPECT_NE(describe(e).find("about 3, at 95 % 3 to 1,234 (2 rows and 4 multiplications counted)"),
            std::string::npos)
      << describe(e);
}

TEST(Json, AMatrix) {
  const auto j = nlohmann::json::parse(
      to_json(analyse(context::reference(), matrix_of<float>({{0, 2}, {1}}, 3))));
  EXPECT_EQ(j["shape"]["rows"], 2);
  EXPECT_EQ(j["shape"]["cols"], 3);
  EXPECT_EQ(j["values"], "f32");
  EXPECT_EQ(j["rows"]["max"], 2);
  EXPECT_EQ(j["rows"]["quantiles"][3]["at"], 0.5);
  EXPECT_EQ(j["rows"]["quantiles"][3]["count"], 1);
  EXPECT_EQ(j["row_histogram"], (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(j["sorted"], true);
  EXPECT_EQ(j["formats"]["csr"]["bytes"], 3 * 4 + 3 * 8);
  EXPECT_EQ(j["formats"]["csr"]["overhead"], 1.0);
  EXPECT_EQ(j["formats"].size(), 7u);
}

TEST(Json, AProduct) {
  const auto a = matrix_of({{0, 1}, {1}}, 2);
  const auto j = nlohmann::json::parse(to_json(estimate(context::reference(), a, a)));
  EXPECT_EQ(j["flop"], 4);
  EXPECT_EQ(j["nnz"], 3);
  EXPECT_EQ(j["exact"], true);
  EXPECT_EQ(j["contraction_per_row"]["max"], 1.5);
  EXPECT_EQ(j["expansion_per_row"]["rows"], 2);
  EXPECT_EQ(j["peak_bytes"].size(), 6u);
  EXPECT_GT(j["peak_bytes"]["esc"], j["result_bytes"]);
}

}  // namespace
}  // namespace gossamer
