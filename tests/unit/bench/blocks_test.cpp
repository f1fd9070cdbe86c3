// CSR in blocks, with numbers done by hand.
#include "bench/peers/cusparse/blocks.hpp"

#include <gtest/gtest.h>

namespace gossamer::bench::cusparse {
namespace {

// [ 1 0 | 0 2 | 0 ]
// [ 0 3 | 0 0 | 0 ]
// [ 0 0 | 0 0 | 4 ]
struct by_hand {
  std::int32_t offsets[4] = {0, 2, 3, 4}, columns[4] = {0, 3, 1, 4};
  double values[4] = {1, 2, 3, 4};
  csr_arrays arrays() const { return {3, 5, offsets, columns, values}; }
};

TEST(Blocks, ByHand) {
  const by_hand m;
  const auto found = in_blocks<double>(m.arrays(), 2);
  EXPECT_EQ(found.rows, 2);
  EXPECT_EQ(found.cols, 3);
  EXPECT_EQ(found.offsets, (std::vector<std::int32_t>{0, 2, 3}));
  EXPECT_EQ(found.columns, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(found.values, (std::vector<double>{1, 0, 0, 3, 0, 2, 0, 0, 4, 0, 0, 0}));
}

TEST(Blocks, AreCountedFirst) {
  const by_hand m;
  EXPECT_EQ(count_blocks(m.arrays(), 2), 3);
  EXPECT_EQ(count_blocks(m.arrays(), 1), 4);
  EXPECT_EQ(count_blocks(m.arrays(), 8), 1);
}

TEST(Blocks, NoRows) {
  const std::int32_t none = 0;
  const auto found = in_blocks<float>({0, 7, &none, nullptr, nullptr}, 4);
  EXPECT_EQ(found.rows, 0);
  EXPECT_TRUE(found.columns.empty());
}

}  // namespace
}  // namespace gossamer::bench::cusparse
