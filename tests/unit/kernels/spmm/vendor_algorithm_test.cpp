// The algorithm of cuSPARSE that spmm/csr/vendor/cuda takes.
#include "kernels/spmm/cuda/vendor_algorithm.hpp"

#include <gtest/gtest.h>

namespace gossamer::device {
namespace {

TEST(VendorAlgorithm, ByWidthAndType) {
  const auto even = [](index_t columns, int value_bytes) {
    return vendor_algorithm(
        {.columns = columns, .value_bytes = value_bytes, .mean_row = 5, .longest_row = 5});
  };
  EXPECT_EQ(even(1, 4), 1);
  EXPECT_EQ(even(8, 8), 1);
  EXPECT_EQ(even(32, 4), 3);
  EXPECT_EQ(even(32, 8), 2);
  EXPECT_EQ(even(33, 4), 2);
  EXPECT_EQ(even(256, 8), 2);
}

TEST(VendorAlgorithm, NoRowSplitForALongRow) {
  EXPECT_EQ(vendor_algorithm({.columns = 32, .mean_row = 5, .longest_row = 1'000'000}), 2);
}

TEST(VendorAlgorithm, ColumnMajorBlocks) {
  EXPECT_EQ(vendor_algorithm({.columns = 64, .row_major = false}), 1);
}

}  // namespace
}  // namespace gossamer::device
