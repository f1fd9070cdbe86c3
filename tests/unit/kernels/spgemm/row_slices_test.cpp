// Slices of rows by their multiplications: the function that host and device share.
#include "kernels/spgemm/cuda/esc/row_slices.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gossamer::device {
namespace {

TEST(RowSlices, AsManyRowsAsFit) {
  const std::vector<index_t> before{0, 3, 3, 5, 12, 13};  // rows of 3, 0, 2, 7 and 1
  EXPECT_EQ(slice_end(before.data(), 0, 5, 5), 3);
  EXPECT_EQ(slice_end(before.data(), 0, 5, 4), 2);
  EXPECT_EQ(slice_end(before.data(), 0, 5, 3), 2) << "an empty row costs nothing";
  EXPECT_EQ(slice_end(before.data(), 0, 5, 13), 5);
  EXPECT_EQ(slice_end(before.data(), 0, 5, 100), 5);
  EXPECT_EQ(slice_end(before.data(), 3, 5, 8), 5);
  EXPECT_EQ(slice_end(before.data(), 4, 5, 8), 5);
}

TEST(RowSlices, ARowThatIsTooLongIsASliceOfItsOwn) {
  const std::vector<index_t> before{0, 3, 3, 5, 12, 13};
  EXPECT_EQ(slice_end(before.data(), 0, 5, 1), 1);
  EXPECT_EQ(slice_end(before.data(), 3, 5, 6), 4);
  EXPECT_EQ(slice_end(before.data(), 3, 5, 0), 4);
}

/// Every cut against a plain walk.
TEST(RowSlices, AsAPlainWalkCutsThem) {
  std::vector<index_t> before{0};
  for (index_t i = 0; i < 200; ++i) before.push_back(before.back() + (i * 7919) % 23);
  const auto rows = static_cast<index_t>(before.size()) - 1;
  for (const index_t most : {1, 10, 22, 23, 100, 5000})
    for (index_t first = 0; first < rows;) {
      index_t end = first + 1;
      while (end < rows &&
             before[static_cast<std::size_t>(end + 1)] - before[static_cast<std::size_t>(first)] <=
                 most)
        ++end;
      ASSERT_EQ(slice_end(before.data(), first, rows, most), end) << first << " of " << most;
      first = end;
    }
}

}  // namespace
}  // namespace gossamer::device
