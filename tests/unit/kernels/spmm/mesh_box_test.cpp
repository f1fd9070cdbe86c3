// The box behind the rows of a mesh, and an order of rows by tiles of it.
#include "kernels/spmm/cuda/mesh_box.hpp"

#include <gtest/gtest.h>

#include <set>

namespace gossamer::device {
namespace {

/// Every row has the same differences.
mesh_box box_of(const std::vector<std::int32_t>& differences) {
  std::vector<std::int32_t> all;
  for (int r = 0; r < 8; ++r) all.insert(all.end(), differences.begin(), differences.end());
  return guess_box(all, 8, std::ssize(differences));
}

TEST(MeshBox, StencilsByHand) {
  EXPECT_EQ(box_of({-100, -1, 0, 1, 100}), (mesh_box{100, 0}));
  EXPECT_EQ(box_of({-1, 0, 1, 99, 100, 101}), (mesh_box{100, 0}));
  EXPECT_EQ(box_of({-1, 0, 1, 20, 600}), (mesh_box{20, 600}));
  EXPECT_EQ(box_of({0, 1, 19, 20, 21, 579, 580, 581, 599, 600, 601, 619, 620, 621}),
            (mesh_box{20, 600}));
}

TEST(MeshBox, OthersHaveNone) {
  EXPECT_EQ(box_of({-1, 0, 1}), mesh_box{});
  EXPECT_EQ(box_of({0, 20, 607}), mesh_box{}) << "a plane of whole lines";
  EXPECT_EQ(box_of({0, 20, 50, 90, 200, 700}), mesh_box{});
  // Differences that no two rows share.
  std::vector<std::int32_t> all;
  for (int k = 0; k < 64; ++k) all.push_back(1000 + 37 * k);
  EXPECT_EQ(guess_box(all, 8, 8), mesh_box{});
}

TEST(MeshBox, ATileIsABox) {
  const mesh_box box{20, 400};
  std::set<index_t> rows;
  const index_t key = tile_key(0, box);
  for (index_t row = 0; row < 4000; ++row)
    if (tile_key(row, box) == key) rows.insert(row);
  EXPECT_EQ(rows.size(), 4U * 8);
  EXPECT_TRUE(rows.contains(3 + 7 * 20));
  EXPECT_FALSE(rows.contains(400));
  EXPECT_NE(tile_key(4, box), key);
  const mesh_box plane{64, 0};
  EXPECT_EQ(tile_key(15 + 64, plane), tile_key(0, plane));
  EXPECT_NE(tile_key(16, plane), tile_key(0, plane));
  EXPECT_NE(tile_key(2 * 64, plane), tile_key(0, plane));
}

}  // namespace
}  // namespace gossamer::device
