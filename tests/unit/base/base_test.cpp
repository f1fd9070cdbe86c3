#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "gossamer/context.hpp"
#include "gossamer/machine.hpp"

namespace gossamer {
namespace {

TEST(Text, WordsAreJoined) {
  EXPECT_EQ(joined(std::vector<std::string>{"a", "b", ""}, ", "), "a, b, ");
  EXPECT_EQ(joined(std::vector<std::string_view>{"", "b"}, " or "), " or b");
  EXPECT_EQ(joined(std::vector<std::string>{"one"}, ", "), "one");
  EXPECT_EQ(joined(std::vector<std::string>{}, ", "), "");
}

TEST(Text, BytesAreReadable) {
  EXPECT_EQ(bytes_text(512), "512 bytes");
  EXPECT_EQ(bytes_text(1500), "1.5 KB");
  EXPECT_EQ(bytes_text(2'000'000'000), "2 GB");
  EXPECT_EQ(count_text(1234567), "1,234,567");
  EXPECT_EQ(count_text(-1234), "-1,234");
  EXPECT_EQ(count_text(999), "999");
}

TEST(Parallel, PartsCoverTheRange) {
  for (index_t n : {0, 1, 7, 100}) {
    for (index_t parts : {1, 3, 8}) {
      index_t next = 0;
      for (index_t p = 0; p < parts; ++p) {
        const auto [begin, end] = part_of(n, p, parts);
        EXPECT_EQ(begin, next);
        next = end;
      }
      EXPECT_EQ(next, n);
    }
  }
}

TEST(Parallel, PartsOfEqualWorkCoverTheRange) {
  // Rows of 0, 5, 0, 0, 1, 1, 1, 0 units of work.
  const std::vector<index_t> before{0, 0, 5, 5, 5, 6, 7, 8, 8};
  const auto part = [&](index_t k, index_t parts) {
    return part_of_work(8, k, parts,
                        [&](index_t i) { return before[static_cast<std::size_t>(i)]; });
  };
  for (index_t parts : {1, 2, 3, 8, 20}) {
    index_t next = 0;
    for (index_t k = 0; k < parts; ++k) {
      EXPECT_EQ(part(k, parts).begin, next);
      next = part(k, parts).end;
    }
    EXPECT_EQ(next, 8);
  }
  EXPECT_EQ(part(0, 2).end, 2);  // the row of 5 units is more than half of the work
  const auto nothing = part_of_work(0, 0, 1, [](index_t) -> index_t { throw "asked for work"; });
  EXPECT_EQ(nothing.begin, 0);
  EXPECT_EQ(nothing.end, 0);
}

TEST(Parallel, EveryPieceIsClaimedOnce) {
  for (index_t pieces : {0, 1, 3, 1000}) {
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(pieces));
    std::atomic<int> calls{0}, team_size{0};
    parallel_pieces(4, pieces, [&](claimed_pieces own, int thread, int team) {
      EXPECT_LT(thread, team);
      team_size = team;
      ++calls;
      for (const index_t piece : own) ++seen[static_cast<std::size_t>(piece)];
    });
    for (const auto& count : seen) EXPECT_EQ(count, 1);
    EXPECT_GE(calls, 1);
    EXPECT_LE(calls, team_size);  // who comes too late is sent home
    EXPECT_LE(calls, std::max<index_t>(pieces, 1));
  }
}

TEST(Parallel, EveryChunkRunsOnce) {
  std::vector<std::atomic<int>> seen(1000);
  parallel_chunks(4, 1000, [&](index_t chunk) { ++seen[static_cast<std::size_t>(chunk)]; });
  for (const auto& count : seen) EXPECT_EQ(count, 1);
}

TEST(Parallel, SharesCoverEveryChunkOnce) {
  for (const int threads : {0, 1, 2, 7}) {
    for (const index_t chunks : {0, 1, 3, 7, 1000}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(chunks));
      parallel_shares(threads, chunks,
                      [&](index_t chunk) { ++seen[static_cast<std::size_t>(chunk)]; });
      for (const auto& count : seen) EXPECT_EQ(count, 1) << threads << " threads, " << chunks;
    }
  }
}

TEST(Parallel, SharesAreTakenInOrderAndHelpedWith) {
  std::vector<index_t> alone;
  parallel_shares(1, 5, [&](index_t chunk) { alone.push_back(chunk); });
  EXPECT_EQ(alone, (std::vector<index_t>{0, 1, 2, 3, 4}));

  // The thread with chunk 0 returns only when the other threads have done all others.
  int team = 0;
  parallel(2, [&](int thread, int size) {
    if (thread == 0) team = size;
  });
  if (team < 2) GTEST_SKIP() << "no second thread to help";
  std::atomic<int> done{0};
  parallel_shares(2, 100, [&](index_t chunk) {
    while (chunk == 0 && done < 99) std::this_thread::yield();
    ++done;
  });
  EXPECT_EQ(done, 100);
}

TEST(Parallel, AnExceptionInAShareArrivesAndTheRestIsDone) {
  for (const int threads : {1, 2, 7}) {
    std::atomic<int> done{0};
    EXPECT_THROW(parallel_shares(threads, 50,
                                 [&](index_t chunk) {
                                   if (chunk == 49) throw std::runtime_error("x");
                                   ++done;
                                 }),
                 std::runtime_error);
    EXPECT_EQ(done, 49) << threads << " threads";
  }
}

TEST(Parallel, AnExceptionOfAMemberArrives) {
  EXPECT_THROW(parallel(3, [](int, int) { throw std::runtime_error("x"); }), std::runtime_error);
}

TEST(Parallel, NestedRegionsAndTwoThreadsAreSafe) {
  std::atomic<index_t> sum{0};
  auto work = [&] {
    parallel(2, [&](int, int) {
      parallel_ranges(4, 1000, 1, [&](index_t begin, index_t end) { sum += end - begin; });
    });
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(sum % 1000, 0);
  EXPECT_GE(sum, 2000);
}

TEST(Context, ThreadsAndErrors) {
  EXPECT_EQ(context::openmp(3).threads(), 3);
  EXPECT_GE(context::openmp().threads(), 1);
  EXPECT_EQ(context::reference().backend(), backend::reference);
  EXPECT_THROW(context::openmp(-1), error);
  EXPECT_EQ(context::openmp(100'000).threads(), 1024);
  EXPECT_EQ(context::openmp(2).with_threads(100'000).threads(), 1024);
  EXPECT_EQ(context::openmp(4).with_threads(2).threads(), 2);
}

TEST(Memory, AnImpossibleSizeIsAnErrorNotACrash) {
  try {
    buffer<double> huge(index_t{1} << 50);
    FAIL() << "8 PB were granted";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::out_of_memory);
    EXPECT_NE(std::string(e.what()).find("PB"), std::string::npos);
  }
  EXPECT_THROW(buffer<double>(index_t{1} << 61), error);
  EXPECT_THROW(buffer<double>(-1), error);
}

TEST(Memory, IndexWidthIsChecked) {
  index_buffer narrow(3, index_width::i32);
  EXPECT_THROW(narrow.view().as<std::int64_t>(), error);
  narrow.view().as<std::int32_t>()[1] = 7;
  EXPECT_EQ(index_view(narrow.view())[1], 7);
}

TEST(Machine, SaysSomethingPlausible) {
  const auto& here = this_machine();
  EXPECT_GE(here.cores, 1);
  EXPECT_GT(here.l1, 0);
  EXPECT_GT(here.bandwidth(1), 0);
  EXPECT_GE(here.bandwidth(here.cores), here.bandwidth(1));
}

}  // namespace
}  // namespace gossamer
