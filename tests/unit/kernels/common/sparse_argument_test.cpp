// How kernels that take any format divide an operand among threads.
#include "kernels/common/sparse_argument.hpp"

#include <gtest/gtest.h>

namespace gossamer {
namespace {

TEST(SparseCall, PartsOfCompressedFormatsHaveEqualWork) {
  // Columns of 90, 0, 2, 2 and 2 nonzeros: 5 + 96 steps, half of them in the first column alone.
  const std::int32_t offsets[] = {0, 90, 90, 92, 94, 96};
  const csc_ref<const double, std::int32_t, std::int32_t> a{100, 5, offsets, nullptr, nullptr, 96};
  const auto [begin, end] = part_of_lines(a, 0, 2);
  EXPECT_EQ(begin, 0);
  EXPECT_EQ(end, 0);  // not a whole column fits
  EXPECT_EQ(part_of_lines(a, 1, 2).end, 5);
  const auto all = part_of_lines(a, 0, 1);
  EXPECT_EQ(all.begin, 0);
  EXPECT_EQ(all.end, 5);

  const std::int32_t even[] = {0, 3, 6, 18, 21, 24};  // 5 + 24 steps
  const csc_ref<const double, std::int32_t, std::int32_t> b{100, 5, even, nullptr, nullptr, 24};
  const index_t ends[] = {2, 2, 5};  // after 10 steps, 20 (within the third column), and all 29
  for (index_t part = 0; part < 3; ++part) {
    const auto mine = part_of_lines(b, part, 3);
    EXPECT_EQ(mine.begin, part == 0 ? 0 : ends[part - 1]) << part;
    EXPECT_EQ(mine.end, ends[part]) << part;
  }
}

TEST(SparseCall, PartsOfOtherFormatsAreEqualCounts) {
  const coo_ref<const double, std::int32_t> a{4, 4, 10, nullptr, nullptr, nullptr};
  EXPECT_EQ(part_of_lines(a, 1, 3).begin, 4);
  EXPECT_EQ(part_of_lines(a, 1, 3).end, 7);
}

}  // namespace
}  // namespace gossamer
