// Whole sessions on tiny matrices: what is recorded, what a second run skips.
#include "bench/session/session.hpp"

#include <gtest/gtest.h>

#include "gossamer/error.hpp"
#include "quick_world.hpp"

namespace gossamer::bench {
namespace {

quick_world here;

struct counting_watch final : session_watch {
  void case_ended(const json&) override { ++ended; }
  void case_skipped(const case_spec&, const std::string& why) override { skipped.push_back(why); }
  int ended = 0;
  std::vector<std::string> skipped;
};

request quick(const std::string& operation, std::vector<subject> subjects) {
  request asked;
  asked.operation = operation;
  asked.subjects = std::move(subjects);
  asked.threads = {1};
  asked.by = {.least_rounds = 1, .most_rounds = 1, .cold_rounds = 1, .sample_seconds = 1e-6};
  return asked;
}

const subject small{.name = "small", .source = "poisson2d:nx=8,ny=8", .kind = "mesh"};
const subject tall{.name = "tall", .source = "random:rows=9,cols=4,per-row=2"};
const subject gone{.name = "gone", .source = "/nonexistent/gone.mtx"};

TEST(cases, every_combination_in_order) {
  request asked = quick("spmm", {small, tall});
  asked.types = {value_type::f32, value_type::f64};
  asked.columns = {2, 4};
  asked.threads = {1, 2};
  const auto all = cases_of(asked);
  ASSERT_EQ(all.size(), 16);
  EXPECT_EQ(all[0].type, value_type::f32);
  EXPECT_EQ(all[1].threads, 2);
  EXPECT_EQ(all[2].columns, 4);
  EXPECT_EQ(all[8].on->name, "tall");
}

TEST(cases, only_those_with_a_label_that_was_asked_for) {
  subject seventh = small, ninth = small;
  seventh.labels = {"Gu Fig. 7", "Gu Fig. 8"};
  ninth.labels = {"Gu Fig. 9"};
  request asked = quick("spmv", {small, seventh, ninth});
  EXPECT_EQ(cases_of(asked).size(), 3);
  asked.labels = {"Gu Fig. 8", "Gu Fig. 9"};
  EXPECT_EQ(cases_of(asked).size(), 2);
  asked.labels = {"Gu Fig."};
  EXPECT_TRUE(cases_of(asked).empty()) << "a part of a label is no label";
}

TEST(cases, large_ones_only_when_asked_for) {
  subject large = small;
  large.large = true;
  request asked = quick("spmv", {large});
  EXPECT_TRUE(cases_of(asked).empty());
  asked.large = true;
  EXPECT_EQ(cases_of(asked).size(), 1);
}

TEST(session, records_and_resumes) {
  request asked = quick("spmv", {small});
  json results;
  counting_watch watch;
  int kept = 0;
  EXPECT_EQ(run_session(asked, results, here, watch, [&] { ++kept; }), outcome{});
  EXPECT_EQ(watch.ended, 1);
  EXPECT_EQ(kept, 1);
  ASSERT_EQ(results["cases"].size(), 1);
  const json& record = results["cases"][0]["records"][0];
  EXPECT_EQ(record["contestant"], "best");
  EXPECT_GT(record["seconds"]["warm"]["median"].get<double>(), 0);
  EXPECT_EQ(results["schema"], results_schema);

  run_session(asked, results, here, watch, [&] { ++kept; });
  EXPECT_EQ(watch.ended, 1) << "nothing is measured twice";
  EXPECT_EQ(watch.skipped.size(), 1);

  asked.all_kernels = true;  // new contestants: the race is held again, with all of them
  run_session(asked, results, here, watch, [&] { ++kept; });
  EXPECT_EQ(watch.ended, 2);
  ASSERT_EQ(results["cases"].size(), 1);
  EXPECT_GT(results["cases"][0]["records"].size(), 5);
  EXPECT_GE(results["cases"][0]["choice"]["regret"].get<double>(), 1);
}

TEST(session, refuses_to_mix_what_cannot_be_compared) {
  const request asked = quick("spmv", {small});
  json results;
  counting_watch watch;
  run_session(asked, results, here, watch, [] {});
  json other = results;
  other["context"]["machine"]["cpu"] = "another";
  EXPECT_THROW(run_session(asked, other, here, watch, [] {}), error);
  other = results;
  other["context"]["commit"] = "0000000000";
  EXPECT_THROW(run_session(asked, other, here, watch, [] {}), error);
  other = results;
  other["schema"] = "gossamer-bench/99";
  EXPECT_THROW(run_session(asked, other, here, watch, [] {}), error);
}

TEST(session, a_file_that_is_not_there_does_not_end_the_run) {
  const request asked = quick("spmv", {gone, small});
  json results;
  counting_watch watch;
  const outcome ended = run_session(asked, results, here, watch, [] {});
  EXPECT_EQ(ended.failed, 1);
  EXPECT_EQ(watch.ended, 1);
  ASSERT_EQ(watch.skipped.size(), 1);
  EXPECT_NE(watch.skipped[0].find("gone.mtx"), std::string::npos);
}

TEST(session, sparse_products_and_conversions) {
  for (const char* operation : {"spgemm", "convert"}) {
    json results;
    counting_watch watch;
    EXPECT_EQ(run_session(quick(operation, {small}), results, here, watch, [] {}), outcome{})
        << operation;
    const json& only = results["cases"][0];
    if (operation == std::string("convert")) {
      EXPECT_EQ(only["records"].size(), 42) << "seven formats, every pair";
      EXPECT_GT(only["records"][0]["spmv_multiples"].get<double>(), 0);
    } else {
      EXPECT_EQ(only["features"]["flop"], 1320);
      EXPECT_EQ(only["records"].size(), 2) << "the whole product, and numeric only";
    }
  }
}

TEST(session, phases_are_of_whole_sparse_products) {
  request asked = quick("spgemm", {small});
  asked.kernels = {"spgemm/csr/pb/openmp", "spgemm/csr/hash/openmp"};
  json results;
  counting_watch watch;
  EXPECT_EQ(run_session(asked, results, here, watch, [] {}), outcome{});
  const json& only = results["cases"][0];
  int phased = 0;
  for (const auto& r : only["records"]) {
    const bool tells = r["kernel"] == "spgemm/csr/pb/openmp" && r["mode"] == "whole";
    ASSERT_EQ(r.contains("phases"), tells) << r["contestant"] << r["mode"];
    if (!tells) continue;
    ++phased;
    ASSERT_EQ(r["phases"].size(), 5);
    EXPECT_EQ(r["phases"][3]["name"], "compress");
    EXPECT_EQ(r["phases"][3]["bytes"], 12 * only["features"]["result_nnz"].get<double>());
    EXPECT_EQ(r["seconds"]["warm"]["count"], 1) << "measured outside the samples";
  }
  EXPECT_GE(phased, 1);
}

TEST(session, the_time_limit_is_kept) {
  request asked = quick("spmv", {small, tall});
  asked.time_limit = 1e-9;
  json results;
  counting_watch watch;
  run_session(asked, results, here, watch, [] {});
  EXPECT_EQ(watch.ended, 0);
  EXPECT_EQ(watch.skipped.size(), 2);
}

struct skipping_world final : world {
  double wall() override { return clock.wall() + skipped; }
  moment now() override { return clock.now(); }
  void make_cold() override {}
  stream_result bandwidth(int threads) override { return {.threads = threads, .triad = 1e10}; }
  quick_world clock;
  double skipped = 0;
};

/// An hour passes at one stage of the first case.
struct slow_watch final : session_watch {
  slow_watch(skipping_world& in, std::string at) : on(in), slow(std::move(at)) {}
  void stage(const std::string& what) override {
    if (what.starts_with(slow)) on.skipped += 3600;
  }
  void case_skipped(const case_spec&, const std::string& why) override { skipped.push_back(why); }
  skipping_world& on;
  std::string slow;
  std::vector<std::string> skipped;
};

TEST(session, a_case_ends_when_the_time_is_up) {
  for (const char* operation : {"spmv", "convert"})
    for (const char* at : {"checking", "measuring small"}) {
      request asked = quick(operation, {small, tall});
      asked.time_limit = 600;
      json results;
      skipping_world slow;
      slow_watch watch(slow, at);
      const outcome ended = run_session(asked, results, slow, watch, [] {});
      EXPECT_EQ(ended, outcome{.postponed = 2}) << operation << ", " << at;
      ASSERT_EQ(watch.skipped.size(), 2);
      EXPECT_EQ(watch.skipped[0], "not finished: the time limit is reached");
      EXPECT_EQ(watch.skipped[1], "left out: the time limit is reached");
      EXPECT_TRUE(results["cases"].empty());
    }
}

}  // namespace
}  // namespace gossamer::bench
