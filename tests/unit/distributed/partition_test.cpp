#include <gtest/gtest.h>

#include "gossamer/distributed.hpp"
#include "unit/refusal.hpp"

namespace gossamer::mpi {
namespace {

std::vector<index_t> offsets_of(const partition& p) {
  return {p.offsets().begin(), p.offsets().end()};
}

TEST(Partition, ByCountDiffersByAtMostOne) {
  EXPECT_EQ(offsets_of(partition::by_count(10, 3)), (std::vector<index_t>{0, 4, 7, 10}));
  EXPECT_EQ(offsets_of(partition::by_count(2, 4)), (std::vector<index_t>{0, 1, 2, 2, 2}));
  EXPECT_EQ(offsets_of(partition::by_count(0, 2)), (std::vector<index_t>{0, 0, 0}));
}

TEST(Partition, ByWeightBalancesAndKeepsALongRowAlone) {
  const std::vector<index_t> weights = {1, 1, 1, 100, 1, 1, 1, 1};
  const auto parts = partition::by_weight(weights, 2);
  EXPECT_EQ(offsets_of(parts), (std::vector<index_t>{0, 4, 8}));
  const std::vector<index_t> even(12, 5);
  EXPECT_EQ(offsets_of(partition::by_weight(even, 4)), (std::vector<index_t>{0, 3, 6, 9, 12}));
  const std::vector<index_t> none(5, 0);
  EXPECT_EQ(partition::by_weight(none, 3), partition::by_count(5, 3));
}

TEST(Partition, FindsOwnersPastEmptyBlocks) {
  const partition p({0, 0, 3, 3, 5, 5});
  EXPECT_EQ(p.owner(0), 1);
  EXPECT_EQ(p.owner(2), 1);
  EXPECT_EQ(p.owner(3), 3);
  EXPECT_EQ(p.owner(4), 3);
  EXPECT_EQ(p.count(4), 0);
}

TEST(Partition, RefusesOffsetsThatDoNotAscendFromZero) {
  EXPECT_NE(refusal(error_kind::bad_argument,
                    [] {
                      partition({0, 4, 3});
                    })
                .find("4 and the next one 3"),
            std::string::npos);
  EXPECT_NE(refusal(error_kind::bad_argument,
                    [] {
                      partition({1, 4});
                    })
                .find("the first 1"),
            std::string::npos);
  refusal(error_kind::bad_argument, [] { partition::by_count(3, 0); });
  refusal(error_kind::bad_argument, [] { partition::by_count(-3, 1); });
}

}  // namespace
}  // namespace gossamer::mpi
