// The limits of the launches of row-wise ESC, from those of its groups.
#include "kernels/spgemm/cuda/row_esc/row_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace gossamer::device {
namespace {

using limits_of_launches = std::array<index_t, row_launches>;

TEST(RowGroups, ThePapersLimits) {
  EXPECT_EQ(launch_limits({32, 736, 6144}), (limits_of_launches{0, 32, 32, 128, 736, 6144, 6144}));
}

TEST(RowGroups, TheLargestLimits) {
  EXPECT_EQ(launch_limits(most_of_groups),
            (limits_of_launches{0, 32, 64, 128, 1024, 6144, 12'288}));
}

TEST(RowGroups, GroupsMayBeEmpty) {
  EXPECT_EQ(launch_limits({0, 0, 0}), (limits_of_launches{0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(launch_limits({0, 0, 9000}), (limits_of_launches{0, 0, 0, 0, 0, 6144, 9000}));
  EXPECT_EQ(launch_limits({5, 5, 5}), (limits_of_launches{0, 5, 5, 5, 5, 5, 5}));
}

/// No launch takes more than its kernel can, and limits never decrease, whatever is asked for.
TEST(RowGroups, AnyLimits) {
  for (const index_t thread : {0, 1, 31, 32, 33, 64})
    for (const index_t warp : {0, 1, 64, 127, 128, 129, 736, 1024})
      for (const index_t block : {0, 64, 1024, 6143, 6144, 6145, 12'288}) {
        if (thread > warp || warp > block) continue;
        const auto limits = launch_limits({thread, warp, block});
        EXPECT_TRUE(std::is_sorted(limits.begin(), limits.end()));
        EXPECT_LE(limits[thread_few], few_of_groups.thread);
        EXPECT_EQ(limits[thread_many], thread);
        EXPECT_LE(limits[warp_few], few_of_groups.warp);
        EXPECT_EQ(limits[warp_many], warp);
        EXPECT_LE(limits[block_few], few_of_groups.block);
        EXPECT_EQ(limits[block_many], block);
      }
}

}  // namespace
}  // namespace gossamer::device
