// The race with a simulated clock: every number below follows from the rules.
#include "bench/race/race.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>

namespace gossamer::bench {
namespace {

struct fake_world final : world {
  double time = 0, away = 0;  // seconds; `away`: of them, put aside
  index_t interruptions = 0;
  int colds = 0;
  std::string log;

  double wall() override { return time; }
  moment now() override { return {time, time - away, interruptions}; }
  void make_cold() override {
    ++colds;
    log += '*';
  }
  stream_result bandwidth(int threads) override { return {.threads = threads, .triad = 1e10}; }
  void peak_begin() override {}
  std::optional<index_t> peak_growth() override { return 4096; }
};

struct fake_contestant final : contestant {
  fake_contestant(fake_world& in, char letter, double seconds)
      : in(&in), letter(letter), seconds(seconds) {}
  void run() override {
    ++runs;
    in->log += letter;
    double length = seconds;
    if (!script.empty()) {
      length = script.front();
      script.pop_front();
    }
    in->time += length;
    if (spoilt > 0) {  // another process took the core for as long again
      --spoilt;
      in->time += length;
      in->away += length;
      ++in->interruptions;
    }
  }
  void forget() override { in->time += forgetting; }
  double device_seconds() const override { return device; }

  fake_world* in;
  char letter;
  double seconds, forgetting = 0, device = -1;
  std::deque<double> script = {};
  int runs = 0, spoilt = 0;
};

rules plain() {
  rules by;
  by.cold_rounds = 1;
  by.sample_seconds = 1e-6;  // one call a sample
  return by;
}

TEST(race, contestants_take_turns) {
  fake_world in;
  fake_contestant a(in, 'a', 0.01), b(in, 'b', 0.02);
  std::vector<lane> lanes{{.who = &a}, {.who = &b}};
  race(lanes, plain(), in);
  // A warm-up each, one cold round, five rounds: equal times are settled at once.
  EXPECT_EQ(in.log, "ab*a*bababababab");
  EXPECT_EQ(lanes[0].warm.seconds.size(), 5);
  for (const double s : lanes[0].warm.seconds) EXPECT_NEAR(s, 0.01, 1e-12);
  for (const double s : lanes[1].warm.seconds) EXPECT_NEAR(s, 0.02, 1e-12);
  EXPECT_EQ(lanes[0].cold.seconds.size(), 1);
  EXPECT_EQ(lanes[0].peak, 4096);
}

TEST(race, goes_on_until_the_median_is_known) {
  fake_world in;
  fake_contestant a(in, 'a', 0.001);
  // warm-up, cold, then times that scatter until they do not.
  a.script = {0.001, 0.001, 0.0010, 0.0015, 0.0011, 0.0014, 0.0012, 0.0013};
  std::vector<lane> lanes{{.who = &a}};
  race(lanes, plain(), in);
  EXPECT_GT(lanes[0].warm.seconds.size(), 6);
  EXPECT_LT(lanes[0].warm.seconds.size(), 51);
}

TEST(race, stops_when_its_time_is_up) {
  fake_world in;
  fake_contestant a(in, 'a', 0);
  for (int k = 0; k < 200; ++k) a.script.push_back(k % 2 == 0 ? 0.2 : 0.4);  // never settles
  std::vector<lane> lanes{{.who = &a}};
  rules by = plain();
  by.seconds = 3;
  race(lanes, by, in);
  double spent = 0;
  for (const double s : lanes[0].warm.seconds) spent += s;
  EXPECT_GT(spent, 3);
  EXPECT_LT(spent, 3 + 0.4 + 1e-9);
}

TEST(race, noise_without_end_ends_with_the_rounds) {
  fake_world in;
  fake_contestant a(in, 'a', 0);
  for (int k = 0; k < 200; ++k) a.script.push_back(k % 2 == 0 ? 1e-4 : 2e-4);
  std::vector<lane> lanes{{.who = &a}};
  race(lanes, plain(), in);
  EXPECT_EQ(lanes[0].warm.seconds.size(), 51);
}

TEST(race, long_cases_take_three_rounds) {
  fake_world in;
  fake_contestant a(in, 'a', 10);
  std::vector<lane> lanes{{.who = &a}};
  race(lanes, plain(), in);
  EXPECT_EQ(lanes[0].warm.seconds.size(), 3);
  EXPECT_EQ(lanes[0].cold.seconds.size(), 1);
}

TEST(race, who_is_left_behind_runs_once) {
  fake_world in;
  fake_contestant fast(in, 'f', 0.01), slow(in, 's', 1);
  std::vector<lane> lanes{{.who = &fast}, {.who = &slow}};
  race(lanes, plain(), in);
  EXPECT_EQ(lanes[0].warm.seconds.size(), 5);
  EXPECT_EQ(lanes[1].warm.seconds.size(), 1);
  EXPECT_TRUE(lanes[1].cold.seconds.empty());
  EXPECT_EQ(slow.runs, 2) << "a warm-up and a sample";
}

/// A whole product that takes 50 times as long as a refill is not slow.
TEST(race, refills_leave_no_whole_product_behind) {
  fake_world in;
  fake_contestant refill(in, 'r', 0.01), whole(in, 'w', 0.5), slow_refill(in, 's', 0.3),
      slow(in, 't', 11);
  std::vector<lane> lanes{{.who = &refill, .refill = true},
                          {.who = &whole},
                          {.who = &slow_refill, .refill = true},
                          {.who = &slow}};
  race(lanes, plain(), in);
  EXPECT_GE(lanes[0].warm.seconds.size(), 3);
  EXPECT_GE(lanes[1].warm.seconds.size(), 3);
  EXPECT_EQ(lanes[2].warm.seconds.size(), 1);
  EXPECT_EQ(lanes[3].warm.seconds.size(), 1);
}

TEST(race, a_disturbed_sample_is_taken_again) {
  fake_world in;
  fake_contestant a(in, 'a', 0.01);
  std::vector<lane> lanes{{.who = &a}};
  rules by = plain();
  by.cold_rounds = 1;
  a.spoilt = 4;  // the warm-up, the cold one (kept), and the first sample twice
  race(lanes, by, in);
  EXPECT_EQ(lanes[0].cold.disturbed, 1);
  EXPECT_EQ(lanes[0].warm.disturbed, 0);
  for (const double s : lanes[0].warm.seconds) EXPECT_NEAR(s, 0.01, 1e-12);
}

TEST(race, what_stays_disturbed_is_kept_and_said) {
  fake_world in;
  fake_contestant a(in, 'a', 0.01);
  a.spoilt = 1000;
  std::vector<lane> lanes{{.who = &a}};
  race(lanes, plain(), in);
  EXPECT_EQ(lanes[0].warm.disturbed, static_cast<int>(lanes[0].warm.seconds.size()));
  for (const double s : lanes[0].warm.seconds) EXPECT_NEAR(s, 0.02, 1e-12);
}

TEST(race, short_products_are_called_several_times_a_sample) {
  fake_world in;
  fake_contestant a(in, 'a', 1e-4);
  std::vector<lane> lanes{{.who = &a}};
  rules by = plain();
  by.sample_seconds = 1e-3;
  race(lanes, by, in);
  EXPECT_EQ(lanes[0].warm.calls_per_sample, 10);
  for (const double s : lanes[0].warm.seconds) EXPECT_NEAR(s, 1e-4, 1e-12);
}

TEST(race, a_disturbed_warm_up_does_not_make_a_product_long) {
  fake_world in;
  fake_contestant a(in, 'a', 1e-4);
  a.script = {5e-3};
  std::vector<lane> lanes{{.who = &a}};
  rules by = plain();
  by.sample_seconds = 1e-3;
  race(lanes, by, in);
  EXPECT_EQ(lanes[0].warm.calls_per_sample, 10);
}

TEST(race, freeing_a_sparse_result_is_not_timed) {
  fake_world in;
  fake_contestant a(in, 'a', 1e-4);
  a.forgetting = 5e-4;
  std::vector<lane> lanes{{.who = &a, .sparse = true}};
  rules by = plain();
  by.sample_seconds = 1e-3;
  race(lanes, by, in);
  for (const double s : lanes[0].warm.seconds) EXPECT_NEAR(s, 1e-4, 1e-12);
  EXPECT_NEAR(lanes[0].cold.seconds.front(), 1e-4, 1e-12);
}

TEST(race, a_device_is_timed_by_its_own_clock) {
  fake_world in;
  fake_contestant a(in, 'a', 0.01);
  a.device = 0.002;
  a.spoilt = 1000;  // the host's troubles do not matter
  std::vector<lane> lanes{{.who = &a}};
  race(lanes, plain(), in);
  EXPECT_EQ(lanes[0].warm.disturbed, 0);
  for (const double s : lanes[0].warm.seconds) EXPECT_NEAR(s, 0.002, 1e-12);
}

TEST(disturbed, needs_an_interruption_that_matters) {
  EXPECT_FALSE(disturbed({0, 0, 0}, {1, 0.2, 0}, 1)) << "asleep by itself";
  EXPECT_TRUE(disturbed({0, 0, 0}, {1, 0.2, 1}, 1)) << "put aside for most of it";
  EXPECT_FALSE(disturbed({0, 0, 0}, {1, 0.99, 3}, 1)) << "3 ms of a second";
  EXPECT_TRUE(disturbed({0, 0, 0}, {0.002, 0.002, 1}, 1)) << "1 ms of two";
  EXPECT_TRUE(disturbed({0, 0, 0}, {1, 1, 300}, 2)) << "a helper thread was put aside, often";
}

}  // namespace
}  // namespace gossamer::bench
