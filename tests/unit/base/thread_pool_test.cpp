// A region does what its threads do not: it never waits for one that has not begun.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

#include "base/parallel.hpp"

namespace gossamer {

namespace {

int team_of(int threads) {
  std::atomic<int> size{0};
  parallel(threads, [&](int, int team) { size = team; });
  return size;
}

TEST(ThreadPool, TheCallerFinishesAloneWhileAllOtherThreadsAreBusy) {
  constexpr int all = 24;  // more than any other test has started
  const int team = team_of(all);
  if (team < all) GTEST_SKIP() << "the system lets us start " << team << " threads";
  std::latch all_inside(team), let_go(1);
  std::thread other([&] {
    parallel(team, [&](int, int) {
      all_inside.count_down();
      let_go.wait();
    });
  });
  all_inside.wait();  // every thread of the pool is in the region of the other caller
  std::atomic<int> parts{0};
  const auto here = std::this_thread::get_id();
  bool only_here = true;
  parallel(team, [&](int, int) {
    ++parts;
    only_here = only_here && std::this_thread::get_id() == here;
  });
  EXPECT_EQ(parts, team);
  EXPECT_TRUE(only_here);
  let_go.count_down();
  other.join();
}

TEST(ThreadPool, PartZeroIsTheCallers) {
  const auto here = std::this_thread::get_id();
  for (int round = 0; round < 100; ++round) {
    std::thread::id first;
    parallel(4, [&](int part, int) {
      if (part == 0) first = std::this_thread::get_id();
    });
    EXPECT_EQ(first, here);
  }
}

TEST(ThreadPool, ManyCallersAtOnce) {
  constexpr int callers = 12, rounds = 300;  // more callers than regions that may have a team
  std::atomic<index_t> sum{0};
  std::vector<std::thread> threads;
  for (int c = 0; c < callers; ++c)
    threads.emplace_back([&, c] {
      for (int r = 0; r < rounds; ++r)
        parallel_ranges(1 + (c + r) % 4, 100, 1,
                        [&](index_t begin, index_t end) { sum += end - begin; });
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(sum, index_t{callers} * rounds * 100);
}

TEST(ThreadPool, TeamsOfChangingSize) {
  for (const int threads : {2, 7, 3, 1, 5, 2}) {
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(threads));
    std::atomic<int> size{0};
    parallel(threads, [&](int part, int team) {
      size = team;
      ++seen[static_cast<std::size_t>(part)];
    });
    EXPECT_LE(size, threads);
    for (int part = 0; part < threads; ++part)
      EXPECT_EQ(seen[static_cast<std::size_t>(part)], part < size ? 1 : 0);
  }
}

TEST(ThreadPool, ARegionAfterOneThatThrew) {
  for (int round = 0; round < 50; ++round) {
    EXPECT_THROW(parallel(3,
                          [&](int part, int team) {
                            if (part == team - 1) throw std::runtime_error("x");
                          }),
                 std::runtime_error);
    EXPECT_NO_THROW(parallel(3, [](int, int) {}));
  }
}

}  // namespace

}  // namespace gossamer
