// The shapes of spmm/csr/groups/cuda: every width and alignment gets one that covers it and that
// the launch knows.
#include "kernels/spmm/cuda/group_shapes.hpp"

#include <gtest/gtest.h>

namespace gossamer::device {
namespace {

TEST(GroupShapes, LoadsAreNoWiderThanTheAlignment) {
  for (const int value_bytes : {4, 8})
    for (const int alignment : {4, 8, 16})
      for (index_t columns = 1; columns <= 600; ++columns) {
        if (alignment < value_bytes) continue;
        const auto shape =
            shape_for({.columns = columns, .value_bytes = value_bytes, .alignment = alignment});
        ASSERT_LE(shape.pack * value_bytes, alignment) << columns;
        ASSERT_EQ(columns % shape.pack, 0) << columns;
        ASSERT_LE(shape.lanes * shape.along, 32) << columns;
        // A shape either holds all columns or is the widest of its loads.
        if (shape.columns() < columns) {
          ASSERT_EQ(shape.lanes, 32) << columns;
          ASSERT_GE(shape.columns(), 128) << columns;
        }
      }
}

TEST(GroupShapes, WideLoadsForAlignedRows) {
  const auto shape = [](index_t columns, int value_bytes) {
    return shape_for({.columns = columns, .value_bytes = value_bytes, .mean_row = 5});
  };
  EXPECT_EQ(shape(32, 4), (group_shape{.pack = 4, .lanes = 8}));
  EXPECT_EQ(shape(64, 4), (group_shape{.pack = 4, .lanes = 16}));
  EXPECT_EQ(shape(128, 4), (group_shape{.pack = 4, .lanes = 16, .packs = 2, .blocks = 3}));
  EXPECT_EQ(shape(100, 4), (group_shape{.pack = 4, .lanes = 16, .packs = 2, .blocks = 3}));
  EXPECT_EQ(shape(256, 4), (group_shape{.pack = 4, .lanes = 32, .packs = 2, .blocks = 3}));
  EXPECT_EQ(shape(2, 4), (group_shape{.pack = 2, .lanes = 1}));
  EXPECT_EQ(shape(2, 8), (group_shape{.pack = 2, .lanes = 1}));
  EXPECT_EQ(shape(64, 8), (group_shape{.pack = 2, .lanes = 16, .packs = 2, .blocks = 3}));
  EXPECT_EQ(shape(33, 8), (group_shape{.pack = 1, .lanes = 16, .packs = 3, .blocks = 3}));
  EXPECT_EQ(shape_for({.columns = 2, .value_bytes = 8, .mean_row = 30}).along, 4);
}

TEST(GroupShapes, RowsOfSomeLengthAreTakenOneByOne) {
  const auto shape = [](index_t columns, int value_bytes, double mean, bool even) {
    return shape_for(
        {.columns = columns, .value_bytes = value_bytes, .mean_row = mean, .even = even});
  };
  EXPECT_EQ(shape(32, 4, 9, true),
            (group_shape{.pack = 4, .lanes = 8, .blocks = 6, .one_row = true}));
  EXPECT_EQ(shape(8, 8, 8, false),
            (group_shape{.pack = 2, .lanes = 4, .blocks = 5, .one_row = true}));
  EXPECT_EQ(shape(3, 4, 8, false),
            (group_shape{.pack = 1, .lanes = 4, .blocks = 5, .one_row = true}));
  // A whole warp where rows differ, half of one where they are alike.
  EXPECT_EQ(shape(128, 4, 27, true),
            (group_shape{.pack = 4, .lanes = 16, .packs = 2, .blocks = 4, .one_row = true}));
  EXPECT_EQ(shape(128, 4, 27, false),
            (group_shape{.pack = 4, .lanes = 32, .blocks = 6, .one_row = true}));
  EXPECT_EQ(shape(64, 8, 16, false),
            (group_shape{.pack = 2, .lanes = 32, .blocks = 5, .one_row = true}));
  EXPECT_EQ(shape(64, 8, 8, true), (group_shape{.pack = 2, .lanes = 16, .packs = 2, .blocks = 3}));
  EXPECT_EQ(shape(32, 8, 16, true),
            (group_shape{.pack = 2, .lanes = 16, .blocks = 5, .one_row = true}));
  EXPECT_EQ(shape(32, 8, 8, true), (group_shape{.pack = 2, .lanes = 16}));
  // Short rows are streams, and long ones that fill several rounds.
  for (const index_t columns : {3, 8, 32, 64, 128})
    for (const int value_bytes : {4, 8})
      for (const bool even : {false, true}) {
        EXPECT_FALSE(shape(columns, value_bytes, 5, even).one_row) << columns;
        EXPECT_FALSE(columns * value_bytes <= 512 && shape(columns, value_bytes, 68, even).one_row)
            << columns;
      }
  EXPECT_EQ(rows_per_group(shape(64, 4, 9, true), 9), 1);
}

TEST(GroupShapes, OneRowShapesFitOneTile) {
  // Counters of pieces are allocated for tiles of at least 128 columns.
  for (const index_t columns : {32, 64, 100, 128, 256, 1000})
    for (const int value_bytes : {4, 8})
      for (const bool even : {false, true}) {
        const auto shape = shape_for(
            {.columns = columns, .value_bytes = value_bytes, .mean_row = 16, .even = even});
        EXPECT_TRUE(shape.columns() >= columns || shape.columns() >= 128) << columns;
      }
}

TEST(GroupShapes, WhatTakes64BitsLoadsSingleElements) {
  for (const index_t columns : {1, 2, 8, 64, 256})
    EXPECT_EQ(shape_for({.columns = columns, .wide = true}).pack, 1) << columns;
}

TEST(GroupShapes, ShortRowsAreTakenTogether) {
  const group_shape wide{.pack = 4, .lanes = 32};
  EXPECT_EQ(rows_per_group(wide, 3), 16);
  EXPECT_EQ(rows_per_group(wide, 5), 8);
  EXPECT_EQ(rows_per_group(wide, 27), 2);
  EXPECT_EQ(rows_per_group(wide, 1000), 1);
  EXPECT_EQ(rows_per_group({.lanes = 1}, 3), 1);
}

TEST(GroupShapes, LongRowsAreThoseThatKeepADeviceWaiting) {
  const group_shape shape{.pack = 4, .lanes = 8};
  const auto plan = [&](index_t nnz, index_t longest, double mean) {
    return plan_for(shape, {.nnz = nnz, .longest = longest, .mean = mean}, 132);
  };
  // Even rows are not split while there are enough of them.
  EXPECT_FALSE(plan(4'250'000, 68, 68).splits);
  EXPECT_FALSE(plan(16'000'000, 300, 256).splits);
  // A power law: few rows are long.
  EXPECT_TRUE(plan(8'000'000, 20'000, 8).splits);
  EXPECT_EQ(plan(8'000'000, 20'000, 8).cutoff, 64);
  EXPECT_EQ(plan(8'000'000, 20'000, 8).rows_each, 8);
  // A small one has no time for many of them one after the other.
  const auto small = plan(500'000, 3'800, 7.5);
  EXPECT_LE(small.rows_each * small.cutoff, 128);
  // Of two rows both are.
  const auto two = plan(10'000'000, 5'000'000, 5e6);
  EXPECT_TRUE(two.splits);
  EXPECT_LT(two.cutoff, 5'000'000 / 132);
  EXPECT_EQ(two.piece % 4, 0);
  EXPECT_GE(two.piece, 32 * shape.groups());
}

TEST(GroupShapes, APlanIsNeverEmpty) {
  for (const index_t nnz : {0, 1, 1000})
    for (const index_t columns : {1, 2, 300}) {
      const auto plan =
          plan_for(shape_for({.columns = columns}), {.nnz = nnz, .longest = nnz, .mean = 0}, 1);
      EXPECT_GE(plan.rows_each, 1);
      EXPECT_GE(plan.cutoff, 32);
      EXPECT_GT(plan.piece, 0);
    }
}

}  // namespace
}  // namespace gossamer::device
