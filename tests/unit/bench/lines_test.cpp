// Files of results: what is written, what is read back, what is refused.
#include "bench/records/lines.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace gossamer::bench {
namespace {

json timing(double median, int count) {
  return {{"median", median},    {"min", 0.9 * median},   {"low", 0.95 * median},
          {"q1", 0.97 * median}, {"q3", 1.03 * median},   {"high", 1.1 * median},
          {"count", count},      {"calls_per_sample", 4}, {"spread", 0.075},
          {"disturbed", 0}};
}

json record(const std::string& contestant, const std::string& mode) {
  return {{"contestant", contestant},
          {"mode", mode},
          {"kind", "kernel"},
          {"kernel", contestant},
          {"how", "multiply"},
          {"format", "csr"},
          {"backend", "openmp"},
          {"sorted", true},
          {"keeps_zeros", true},
          {"threads", 2},
          {"seconds",
           {{"convert", 0.0}, {"prepare", 1.25e-3}, {"first", 1.0 / 3}, {"warm", timing(4e-5, 9)}}},
          {"peak_bytes", nullptr},
          {"error", 0.123456}};
}

json results_with(json records) {
  return {{"schema", results_schema},
          {"context",
           {{"bandwidth", {{{"threads", 1}, {"triad", 1e10}}, {{"threads", 2}, {"triad", 2e10}}}}}},
          {"cases",
           {{{"operation", "spmv"},
             {"matrix", {{"name", "m"}}},
             {"features", {{"row_mean", 10.0 / 3}, {"nnz", 123456789}}},
             {"work", {{"flop", 4e5}, {"bytes", 1000000}}},
             {"choice", nullptr},
             {"records", std::move(records)},
             {"refused", json::array()}}}}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(lines, one_for_the_run_one_per_case_one_per_record) {
  const auto lines = lines_of(to_lines(results_with({record("a", "whole")})));
  ASSERT_EQ(lines.size(), 3);
  const json first = json::parse(lines[0]);
  EXPECT_EQ(first["schema"], results_schema);
  EXPECT_EQ(first["entrants"]["a"]["how"], "multiply");
  EXPECT_EQ(
      lines[1],
      R"({"operation":"spmv","matrix":{"name":"m"},"features":{"row_mean":3.33333,)"
      R"("nnz":123456789},"work":{"flop":400000,"bytes":1000000},"choice":null,"refused":[]})");
  EXPECT_EQ(lines[2], R"(["a",2,0,1250,333300,null,[40,9,4,36,44,38,38.8,41.2],null,null,0.123])");
}

TEST(lines, what_is_read_back_has_its_rates) {
  const json found = from_lines(to_lines(results_with({record("a", "whole")})));
  const json& one = found["cases"][0]["records"][0];
  EXPECT_EQ(one["kernel"], "a");
  EXPECT_DOUBLE_EQ(one["seconds"]["warm"]["median"].get<double>(), 4e-5);
  EXPECT_DOUBLE_EQ(one["seconds"]["warm"]["q3"].get<double>(), 4.12e-5);
  EXPECT_DOUBLE_EQ(one["seconds"]["prepare"].get<double>(), 1.25e-3);
  EXPECT_FALSE(one["seconds"].contains("predicted"));
  EXPECT_FALSE(one["seconds"].contains("cold"));
  EXPECT_DOUBLE_EQ(one["gflops"].get<double>(), 10);
  EXPECT_DOUBLE_EQ(one["bandwidth_share"].get<double>(), 1.25) << "25 GB/s of 20";
}

TEST(lines, few_samples_need_fewer_numbers) {
  json short_one = record("a", "whole");
  short_one["seconds"]["warm"] = {
      {"median", 4e-5}, {"min", 3e-5}, {"low", 3e-5},           {"q1", 3.5e-5},  {"q3", 5e-5},
      {"high", 6e-5},   {"count", 3},  {"calls_per_sample", 1}, {"disturbed", 0}};
  short_one["seconds"]["cold"] = {{"median", 7e-5}, {"count", 1}, {"calls_per_sample", 1}};
  const std::string text = to_lines(results_with({short_one}));
  EXPECT_EQ(lines_of(text)[2], R"(["a",2,0,1250,333300,null,[40,3,1,30,60],[70,1,1],null,0.123])");
  const json read = from_lines(text);  // a reference into a temporary would dangle
  const json& seconds = read["cases"][0]["records"][0]["seconds"];
  EXPECT_DOUBLE_EQ(seconds["warm"]["q1"].get<double>(), 3.5e-5);
  EXPECT_DOUBLE_EQ(seconds["warm"]["q3"].get<double>(), 5e-5);
  EXPECT_DOUBLE_EQ(seconds["cold"]["high"].get<double>(), 7e-5);
}

TEST(lines, rounding_moves_nothing_past_the_median) {
  json tight = record("a", "whole");
  for (const auto* part : {"median", "min", "low", "q1", "q3", "high"})
    tight["seconds"]["warm"][part] = 1.23456e-5;  // 12.35 has fewer digits, and is more
  const std::string text = to_lines(results_with({tight}));
  EXPECT_NE(text.find("[12.3456,9,4,12.35,12.35,12.35,12.35,12.35]"), std::string::npos) << text;
  const json read = from_lines(text);
  const json& warm = read["cases"][0]["records"][0]["seconds"]["warm"];
  EXPECT_EQ(warm["min"], warm["median"]);
  EXPECT_EQ(warm["q1"], warm["median"]);
  EXPECT_GT(warm["high"].get<double>(), warm["median"].get<double>());
  EXPECT_EQ(to_lines(read), text);
}

TEST(lines, a_record_keeps_what_differs_from_its_entrant) {
  json other = record("a", "whole");
  other["kernel"] = "b";
  other["phases"] = {{{"name", "sort"}, {"seconds", 0.123456789}, {"bytes", 17}}};
  other["seconds"]["warm"]["disturbed"] = 2;
  other["seconds"]["warm"]["samples"] = {4e-5, 5e-5};
  const std::string text = to_lines(results_with({record("a", "whole"), other}));
  const auto lines = lines_of(text);
  EXPECT_EQ(json::parse(lines[2]).size(), 10);
  EXPECT_EQ(json::parse(lines[3])[10], json::parse(R"({"kernel": "b",
      "phases": [{"name": "sort", "seconds": 0.123457, "bytes": 17}],
      "disturbed": {"warm": 2}, "samples": {"warm": [40, 50]}})"));
  const json read = from_lines(text);
  const json& back = read["cases"][0]["records"][1];
  EXPECT_EQ(back["kernel"], "b");
  EXPECT_EQ(back["phases"][0]["bytes"], 17);
  EXPECT_EQ(back["seconds"]["warm"]["disturbed"], 2);
  EXPECT_EQ(back["seconds"]["warm"]["samples"].size(), 2);
}

TEST(lines, modes_are_entrants_of_their_own) {
  const json read =
      from_lines(to_lines(results_with({record("a", "whole"), record("a", "numeric")})));
  EXPECT_EQ(read["cases"][0]["records"][0]["mode"], "whole");
  EXPECT_EQ(read["cases"][0]["records"][1]["mode"], "numeric");
  EXPECT_EQ(read["cases"][0]["records"][1]["contestant"], "a");
}

TEST(lines, a_case_on_the_same_matrix_does_not_repeat_it) {
  json results = results_with(json::array());
  json& cases = results["cases"];
  cases.push_back(cases[0]);
  cases[1]["threads"] = 2;
  cases.push_back(cases[1]);
  cases[2]["features"]["nnz"] = 5;
  const std::string text = to_lines(results);
  const auto lines = lines_of(text);
  EXPECT_FALSE(json::parse(lines[2]).contains("matrix"));
  EXPECT_FALSE(json::parse(lines[2]).contains("features"));
  EXPECT_FALSE(json::parse(lines[3]).contains("matrix"));
  EXPECT_EQ(json::parse(lines[3])["features"]["nnz"], 5);
  const json read = from_lines(text);
  EXPECT_EQ(read["cases"][2]["matrix"]["name"], "m");
  EXPECT_EQ(read["cases"][1]["features"]["nnz"], 123456789);
}

TEST(lines, refusals_with_one_reason_are_told_once) {
  json results = results_with(json::array());
  const json refused = json::parse(R"([
      {"contestant": "a", "mode": "whole", "wrong": false, "why": "takes COO"},
      {"contestant": "b", "mode": "numeric", "wrong": false, "why": "takes COO"},
      {"contestant": "c", "mode": "whole", "wrong": true, "why": "wrong result: 1 for 2"}])");
  results["cases"][0]["refused"] = refused;
  const std::string text = to_lines(results);
  const json line = json::parse(lines_of(text)[1]);
  ASSERT_EQ(line["refused"].size(), 2);
  EXPECT_EQ(line["refused"][0]["entrants"], json::parse(R"x(["a", "b (numeric)"])x"));
  EXPECT_EQ(from_lines(text)["cases"][0]["refused"], refused);
}

void expect_written_as_read(const std::filesystem::path& path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  ASSERT_FALSE(text.empty()) << path;
  EXPECT_TRUE(looks_like_lines(text)) << path;
  const auto was = lines_of(text), is = lines_of(to_lines(from_lines(text)));
  ASSERT_EQ(is.size(), was.size()) << path;
  for (std::size_t k = 0; k < is.size(); ++k)
    ASSERT_EQ(is[k], was[k]) << path << ", line " << k + 1;
}

TEST(lines, files_are_written_as_they_were_read) {
  const std::filesystem::path data = GOSSAMER_TEST_DATA;
  expect_written_as_read(data / "bench/example.jsonl");
  int files = 0;
  for (const auto& one : std::filesystem::directory_iterator(data / "../../bench/results")) {
    if (one.path().extension() != ".jsonl") continue;  // the record of gossamer_bench_amg
    expect_written_as_read(one.path());
    ++files;
  }
  EXPECT_GT(files, 10);
}

TEST(lines, bad_utf_8_is_replaced) {
  json results = results_with(json::array());
  results["context"]["cpu"] = "Xeon\xff";
  EXPECT_EQ(from_lines(to_lines(results))["context"]["cpu"], "Xeon\xEF\xBF\xBD");
}

TEST(lines, what_cannot_be_read_is_told_with_its_line) {
  const std::string good = to_lines(results_with({record("a", "whole")}));
  const auto broken_line = [](const std::string& text) -> std::size_t {
    try {
      from_lines(text);
    } catch (const bad_line& e) {
      return e.line;
    }
    return 0;
  };
  EXPECT_EQ(broken_line(good), 0);
  EXPECT_EQ(broken_line(good + "[\"a\","), 4) << "cut";
  EXPECT_EQ(broken_line(good + "7\n"), 4) << "neither a case nor a record";
  EXPECT_EQ(broken_line(good + "[\"nobody\",1,0,0,0,0,[1,1,1],null,0,0]\n"), 4);
  EXPECT_EQ(broken_line(good + "[\"a\",1,0,0,0,0,[],null,0,0]\n"), 4) << "no median";
  EXPECT_EQ(broken_line(good + "[\"a\",1]\n"), 4) << "too short";
  EXPECT_EQ(broken_line(good + "[\"a\",1,0,0,0,0,[1,1,1],null,0,0,{},1]\n"), 4) << "too long";
  EXPECT_EQ(broken_line(lines_of(good)[0] + "\n" + lines_of(good)[2] + "\n"), 2) << "no case";
}

}  // namespace
}  // namespace gossamer::bench
