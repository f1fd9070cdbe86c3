#include "distributed/exchange.hpp"

#include <gtest/gtest.h>

namespace gossamer::mpi {
namespace {

/// Rank r sends (r + s) % 3 numbers to rank s, each r * 100 + s.
void exchange_and_check() {
  const auto ranks = communicator::world();
  const int size = ranks.size(), me = ranks.rank();
  std::vector<index_t> counts;
  std::vector<std::int32_t> sent;
  index_t messages = 0, bytes = 0;
  for (int to = 0; to < size; ++to) {
    counts.push_back((me + to) % 3);
    sent.insert(sent.end(), static_cast<std::size_t>(counts.back()), me * 100 + to);
    const index_t length = to == me ? 0 : counts.back() * 4;
    bytes += length;
    messages += (length + exchange::longest_message - 1) / exchange::longest_message;
  }
  exchange all(ranks, counts);
  std::vector<std::int32_t> got(static_cast<std::size_t>(all.received()), -1);
  const auto before = ranks.sent();
  all.run(sent.data(), got.data());
  EXPECT_EQ(ranks.sent() - before, (traffic{messages, bytes}));
  std::size_t at = 0;
  for (int from = 0; from < size; ++from)
    for (int k = 0; k < (me + from) % 3; ++k) EXPECT_EQ(got.at(at++), from * 100 + me);
  EXPECT_EQ(at, got.size());
  std::vector<std::int32_t> back(sent.size(), -1);
  all.run_back(got.data(), back.data());
  EXPECT_EQ(back, sent);
}

TEST(Exchange, BringsEveryPieceToItsRank) { exchange_and_check(); }

TEST(Exchange, SplitsPiecesLongerThanAMessage) {
  const index_t usual = std::exchange(exchange::longest_message, 3);
  exchange_and_check();
  exchange::longest_message = usual;
}

}  // namespace
}  // namespace gossamer::mpi
