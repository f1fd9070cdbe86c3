#include "bench/report/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/race/statistics.hpp"
#include "bench/report/document.hpp"
#include "gossamer/error.hpp"

namespace gossamer::bench {
namespace {

record timed(const std::string& contestant, record_kind kind, double seconds) {
  record r;
  r.contestant = contestant, r.kind = kind, r.backend = "openmp", r.mode = "whole";
  r.warm = {seconds, {seconds, seconds}};
  r.bandwidth_share = 1 / seconds;
  return r;
}

raced_case raced(const std::string& matrix, const std::string& matrix_class,
                 std::vector<record> records) {
  raced_case c;
  c.operation = "spgemm", c.matrix = matrix, c.matrix_class = matrix_class, c.type = "f64";
  c.records = std::move(records);
  return c;
}

// Times   best  fast (unsorted)  slow
// one      1        2             4
// two      2        1          refused
results small() {
  results file;
  record unsorted = timed("fast/x", record_kind::peer, 2);
  unsorted.sorted = false;
  file.cases.push_back(raced(
      "one", "mesh",
      {timed("best", record_kind::choice, 1), unsorted, timed("slow/x", record_kind::peer, 4)}));
  unsorted.warm = {1, {1, 1}};
  file.cases.push_back(raced("two", "graph", {timed("best", record_kind::choice, 2), unsorted}));
  file.cases[1].refused.push_back({"slow/x", "too large", false, "whole"});
  file.cases[0].refused.push_back({"best", "of no concern here", false, "numeric"});
  file.cases[0].choice = raced_choice{"k", "k", 1};
  file.cases[1].choice = raced_choice{"k", "better", 4};
  return file;
}

const duel& find(const contest& c, const std::string& against, const std::string& matrix_class) {
  for (const auto& d : c.duels)
    if (d.against == against && d.matrix_class == matrix_class) return d;
  throw std::runtime_error("no duel with " + against);
}

TEST(Summary, ProfilesCountRefusalsAsNever) {
  const auto found = summarise({small()}, {});
  ASSERT_EQ(found.contests.size(), 1u);
  const contest& c = found.contests[0];
  EXPECT_EQ(c.cases, 2u);
  ASSERT_EQ(c.standings.size(), 3u);
  EXPECT_EQ(c.standings[2].contestant, "slow/x");
  EXPECT_EQ(c.standings[2].ratios.size(), 2u);
  EXPECT_DOUBLE_EQ(share_within(c.standings[2].ratios, 4), 0.5);
  EXPECT_DOUBLE_EQ(share_within(c.standings[0].ratios, 1), 0.5);
  EXPECT_DOUBLE_EQ(share_within(c.standings[0].ratios, 2), 1);
  ASSERT_EQ(found.refused.size(), 2u);
  EXPECT_EQ(found.refused[1].why, "too large");
}

TEST(Summary, DuelsHaveTheNumbersOfTheTable) {
  const auto found = summarise({small()}, {});
  const contest& c = found.contests[0];
  const duel& fast = find(c, "fast/x", "");
  EXPECT_EQ(fast.cases, 2u);
  EXPECT_DOUBLE_EQ(fast.geomean, 1);  // 2 and 1/2
  EXPECT_DOUBLE_EQ(fast.worst, 0.5);
  EXPECT_EQ(fast.worst_case, "two");
  EXPECT_DOUBLE_EQ(fast.best, 2);
  EXPECT_DOUBLE_EQ(find(c, "fast/x", "mesh").geomean, 2);
  EXPECT_DOUBLE_EQ(find(c, "slow/x", "").geomean, 4);
  EXPECT_DOUBLE_EQ(find(c, "best peer", "").geomean, 1);
  EXPECT_EQ(find(c, "best sorting peer", "").cases, 1u);
  EXPECT_DOUBLE_EQ(find(c, "best sorting peer", "").geomean, 4);
}

TEST(Summary, RegretAndBandwidthAreGeometricMeans) {
  const auto found = summarise({small()}, {});
  ASSERT_TRUE(found.contests[0].regret);
  EXPECT_DOUBLE_EQ(found.contests[0].regret->geomean, 2);
  EXPECT_DOUBLE_EQ(found.contests[0].regret->worst, 4);
  EXPECT_EQ(found.contests[0].regret->worst_case, "two");
  for (const auto& s : found.contests[0].standings)
    if (s.contestant == "best") {
      EXPECT_DOUBLE_EQ(s.share.value(), std::sqrt(0.5));
    }
}

TEST(Summary, DevicesAndHostsDoNotMeet) {
  results file = small();
  record device = timed("cusparse/csr", record_kind::peer, 0.001);
  device.backend = "cuda";
  file.cases[0].records.push_back(device);
  const auto found = summarise({file}, {});
  ASSERT_EQ(found.contests.size(), 2u);
  EXPECT_EQ(found.contests[0].key.place, "host");
  EXPECT_EQ(found.contests[0].standings.size(), 3u);
  EXPECT_EQ(found.contests[1].key.title(), "spgemm, f64, on cuda");
}

TEST(Summary, FilesAreNotMixed) {
  results twice = small();
  for (auto& c : twice.cases)
    for (auto& r : c.records) r.warm = {10 * r.warm.median, {}};
  const auto found = summarise({small(), twice}, {});
  EXPECT_DOUBLE_EQ(find(found.contests[0], "fast/x", "").geomean, 1);
  EXPECT_DOUBLE_EQ(find(found.contests[0], "fast/x", "").best, 2);
}

TEST(Document, TablesFitAndMarkdownIsEscaped) {
  document_table wide{{"name", "n"}, "<>", {{std::string(200, 'x'), "1"}, {"a|b", "2"}}};
  const auto narrow = fitted(wide, 60);
  EXPECT_LE(narrow.rows[0][0].size(), 60u);
  EXPECT_TRUE(narrow.rows[0][0].ends_with("…"));
  EXPECT_EQ(narrow.rows[1][0], "a|b");
  const std::string text = to_markdown({{"title", {}, {}, {wide}, {}}});
  EXPECT_NE(text.find("| a\\|b | 2 |"), std::string::npos);
  EXPECT_NE(text.find("| --- | ---: |"), std::string::npos);
}

TEST(Results, ErrorsNameThePlace) {
  const auto text_of = [](const std::string& document) {
    try {
      parse_results(document, "r.json");
    } catch (const error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(text_of("{\n  \"a\": }").find("r.json, line 2, column 8"), std::string::npos);
  EXPECT_NE(text_of("").find("ends too early"), std::string::npos);
  EXPECT_NE(text_of("[1]").find("no file of results"), std::string::npos);
  EXPECT_NE(text_of(R"({"schema": "gossamer-bench/9"})").find("version 9"), std::string::npos);
  EXPECT_NE(text_of(R"({"schema": "gossamer-bench/1", "context": {"date": 1}})")
                .find("context.date should be a text, but is number"),
            std::string::npos);
}

}  // namespace
}  // namespace gossamer::bench
