#include "kernels/spmm/rows/neighbour_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gossamer {
namespace {

using columns = std::vector<std::int32_t>;

TEST(NeighbourRows, SameColumns) {
  const columns c{1, 4, 9, 1, 4, 9, 1, 5, 9, 7, 7, 2};
  EXPECT_TRUE(same_columns(c.data(), {0, 3}, {3, 6}));
  EXPECT_FALSE(same_columns(c.data(), {3, 6}, {6, 9})) << "the middle differs";
  EXPECT_FALSE(same_columns(c.data(), {0, 3}, {3, 5})) << "lengths differ";
  EXPECT_FALSE(same_columns(c.data(), {9, 10}, {10, 11})) << "one nonzero is not worth sharing";
  EXPECT_FALSE(same_columns(c.data(), {0, 0}, {3, 3}));
}

TEST(NeighbourRows, FarColumns) {
  const columns c{10, 50, 100, /**/ 2, 18, 19, 58, 91, 92, 109};
  // 8 away is near, 9 away is far: 19, 91 and 109 are far from 10, 50 and 100.
  EXPECT_EQ(far_columns(c.data(), {0, 3}, {3, 10}), 3);
  EXPECT_EQ(far_columns(c.data(), {0, 0}, {3, 10}), 7) << "nothing is near an empty row";
  EXPECT_EQ(far_columns(c.data(), {0, 3}, {3, 3}), 0);
}

struct sampled {
  std::vector<std::int32_t> offsets{0};
  columns of;
  std::vector<double> values;

  neighbour_sample sample() {
    values.resize(of.size());
    return sample_neighbours(csr_ref<const double, std::int32_t, std::int32_t>{
        std::ssize(offsets) - 1, 1 << 20, offsets.data(), of.data(), values.data(),
        std::ssize(of)});
  }
};

TEST(NeighbourRows, SampleOfRepeatedRows) {
  sampled a;
  for (std::int32_t r = 0; r < 400; ++r) {
    for (std::int32_t k = 0; k < 40; ++k) a.of.push_back(k);
    a.offsets.push_back(static_cast<std::int32_t>(a.of.size()));
  }
  EXPECT_EQ(a.sample().repeated, 1);
  EXPECT_EQ(a.sample().far, 0);
}

TEST(NeighbourRows, SampleOfBandsAndScatteredRows) {
  sampled band, scattered;
  for (std::int32_t r = 0; r < 400; ++r) {
    for (std::int32_t k = 0; k < 5; ++k) {
      band.of.push_back(r + 1000 * k);
      scattered.of.push_back(r * 100 % 4000 + 5000 * k);
    }
    band.offsets.push_back(static_cast<std::int32_t>(band.of.size()));
    scattered.offsets.push_back(static_cast<std::int32_t>(scattered.of.size()));
  }
  EXPECT_EQ(band.sample().repeated, 0);
  EXPECT_EQ(band.sample().far, 0);
  EXPECT_EQ(scattered.sample().repeated, 0);
  EXPECT_EQ(scattered.sample().far, 1);
}

TEST(NeighbourRows, FewRows) {
  sampled none, one;
  one.of = {1, 2, 3}, one.offsets.push_back(3);
  EXPECT_EQ(none.sample().far, 0);
  EXPECT_EQ(one.sample().repeated, 0);
  EXPECT_EQ(one.sample().far, 0);
}

}  // namespace
}  // namespace gossamer
