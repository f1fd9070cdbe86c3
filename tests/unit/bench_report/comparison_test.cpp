#include "bench/report/comparison.hpp"

#include <gtest/gtest.h>

namespace gossamer::bench {
namespace {

record timed(const std::string& contestant, record_kind kind, double seconds) {
  record r;
  r.contestant = contestant, r.kind = kind, r.backend = "openmp", r.mode = "whole";
  r.warm = {seconds, {0.997 * seconds, 1.003 * seconds}};
  return r;
}

results file_of(std::vector<record> records, const std::string& cpu = "this") {
  raced_case c;
  c.operation = "spmv", c.matrix = "m", c.type = "f64";
  c.records = std::move(records);
  results file;
  file.cpu = cpu, file.cores = 2;
  file.cases = {c};
  return file;
}

TEST(Judge, NeedsSeparateIntervalsAndTheThreshold) {
  const measured one{1.0, {0.98, 1.02}};
  EXPECT_EQ(judge(one, {1.2, {1.15, 1.25}}, 0.05), verdict::slower);
  EXPECT_EQ(judge(one, {1.2, {1.01, 1.30}}, 0.05), verdict::same);   // intervals meet
  EXPECT_EQ(judge(one, {1.04, {1.03, 1.05}}, 0.05), verdict::same);  // certain, but small
  EXPECT_EQ(judge(one, {1.04, {1.03, 1.05}}, 0.03), verdict::slower);
  EXPECT_EQ(judge(one, {0.9, {0.88, 0.92}}, 0.05), verdict::faster);
  EXPECT_EQ(judge(one, one, 0), verdict::same);
}

TEST(Compare, TimesOnOneMachine) {
  const auto before =
      file_of({timed("best", record_kind::choice, 1), timed("k", record_kind::kernel, 1),
               timed("p/x", record_kind::peer, 1)});
  const auto after =
      file_of({timed("best", record_kind::choice, 2), timed("k", record_kind::kernel, 0.5),
               timed("p/x", record_kind::peer, 3)});
  const auto found = compare(before, after, {});
  EXPECT_EQ(found.by, yardstick::time);
  EXPECT_EQ(found.count(verdict::slower), 1u);  // the peer is not ours
  EXPECT_EQ(found.count(verdict::faster), 1u);
  ASSERT_EQ(found.changes.size(), 3u);
  EXPECT_EQ(found.changes[0].contestant, "best");
  EXPECT_DOUBLE_EQ(found.changes[0].factor(), 2);
  EXPECT_EQ(found.changes[2].kind, record_kind::peer);
}

TEST(Compare, RatiosBetweenMachinesCancelTheirSpeed) {
  const auto before =
      file_of({timed("best", record_kind::choice, 1), timed("p/x", record_kind::peer, 1),
               timed("q/x", record_kind::peer, 4)});
  const auto same =
      file_of({timed("best", record_kind::choice, 3), timed("p/x", record_kind::peer, 3),
               timed("q/x", record_kind::peer, 12)},
              "other");
  const auto found = compare(before, same, {});
  EXPECT_EQ(found.by, yardstick::ratio);
  ASSERT_EQ(found.changes.size(), 1u);
  EXPECT_DOUBLE_EQ(found.changes[0].before.value, 0.5);  // 1 over sqrt(1 * 4)
  EXPECT_EQ(found.changes[0].outcome, verdict::same);
  EXPECT_EQ(found.peers, (std::vector<std::string>{"p/x", "q/x"}));
}

TEST(Compare, WithoutACommonPeerMachinesCannotBeCompared) {
  const auto before = file_of({timed("best", record_kind::choice, 1)});
  const auto found = compare(before, file_of({timed("best", record_kind::choice, 9)}, "other"), {});
  EXPECT_TRUE(found.changes.empty());
  EXPECT_EQ(found.incomparable.size(), 1u);
  EXPECT_EQ(found.count(verdict::slower), 0u);
}

TEST(Compare, ADeviceIsNoYardstickForTheHost) {
  record device = timed("cusparse/csr", record_kind::peer, 1);
  device.backend = "cuda";
  const auto found = compare(file_of({timed("best", record_kind::choice, 1), device}),
                             file_of({timed("best", record_kind::choice, 1), device}, "other"), {});
  EXPECT_EQ(found.incomparable.size(), 1u);
}

TEST(Compare, ListsWhatOnlyOneHas) {
  const auto found = compare(
      file_of({timed("best", record_kind::choice, 1), timed("old", record_kind::kernel, 1)}),
      file_of({timed("best", record_kind::choice, 1), timed("new", record_kind::kernel, 1)}), {});
  EXPECT_EQ(found.only_old, std::vector<std::string>{"spmv m, f64, 1 thread: old"});
  EXPECT_EQ(found.only_new, std::vector<std::string>{"spmv m, f64, 1 thread: new"});
}

}  // namespace
}  // namespace gossamer::bench
