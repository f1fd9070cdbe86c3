#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "base/text.hpp"
#include "gossamer/mpi.hpp"
#include "unit/refusal.hpp"

namespace gossamer::mpi {
namespace {

/// The rank that fails in these tests.
int last_of(const communicator& ranks) { return ranks.size() - 1; }

TEST(Agreement, OneRankThrowsAndAllDo) {
  const auto ranks = communicator::world();
  const int guilty = last_of(ranks);
  try {
    agreed(ranks, [&] {
      if (ranks.rank() == guilty) throw error(error_kind::bad_input, "file x has no banner");
    });
    FAIL() << "nothing was thrown";
  } catch (const agreed_error& e) {
    EXPECT_EQ(e.kind(), error_kind::bad_input);
    EXPECT_EQ(e.rank(), guilty);
    const std::string prefix =
        ranks.size() == 1 ? "" : formatted("rank {} of {}: ", guilty, ranks.size());
    EXPECT_EQ(e.what(), prefix + "file x has no banner");
  }
}

TEST(Agreement, TheLowestOfSeveralSpeaks) {
  const auto ranks = communicator::world();
  try {
    agreed(ranks, [&]() -> int { throw fail(error_kind::overflow, "number {}", ranks.rank()); });
    FAIL();
  } catch (const agreed_error& e) {
    EXPECT_EQ(e.rank(), 0);
    EXPECT_NE(std::string(e.what()).find("number 0"), std::string::npos);
  }
}

TEST(Agreement, KeepsItsRankThroughASecondAgreement) {
  const auto ranks = communicator::world();
  const int guilty = last_of(ranks);
  std::string first, second;
  try {
    agreed(ranks, [&] {
      if (ranks.rank() == guilty) throw std::bad_alloc();
    });
  } catch (const agreed_error& e) {
    EXPECT_EQ(e.kind(), error_kind::out_of_memory);
    first = e.what();
    try {
      agreed(ranks, [&] { throw; });
    } catch (const agreed_error& again) {
      EXPECT_EQ(again.rank(), guilty);
      second = again.what();
    }
  }
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, second);
}

TEST(Agreement, LongTextsAreCutAndForeignExceptionsKept) {
  const auto ranks = communicator::world();
  try {
    agreed(ranks, [&] { throw std::runtime_error(std::string(10'000, 'x')); });
    FAIL();
  } catch (const error& e) {
    EXPECT_GT(std::string(e.what()).size(), 3000u);
    EXPECT_LT(std::string(e.what()).size(), 4096u);
  }
  EXPECT_THROW(agreed(ranks, [] { throw 3; }), agreed_error);
}

TEST(Agreement, ResultsComeBack) {
  const auto ranks = communicator::world();
  EXPECT_EQ(agreed(ranks, [&] { return ranks.rank() + 1; }), ranks.rank() + 1);
}

TEST(Communicator, SplitsAndCompares) {
  const auto ranks = communicator::world();
  const auto halves = ranks.split(ranks.rank() % 2);
  EXPECT_EQ(halves.rank(), ranks.rank() / 2);
  EXPECT_EQ(halves.same_ranks(ranks), ranks.size() == 1);
  EXPECT_TRUE(ranks.same_ranks(communicator::world()));
  EXPECT_TRUE(ranks.same_ranks(from(MPI_COMM_WORLD)));
  EXPECT_EQ(communicator::self().size(), 1);
  refusal(error_kind::bad_argument, [&] { ranks.split(ranks.rank() == last_of(ranks) ? -1 : 0); });
  refusal(error_kind::bad_argument, [&] { from(MPI_COMM_NULL); });
}

}  // namespace
}  // namespace gossamer::mpi
