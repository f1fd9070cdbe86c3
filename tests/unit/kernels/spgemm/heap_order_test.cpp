// The heap adds equal columns in the order of A's nonzeros, and those of an unsorted row of B in
// the order of storage: sums whose value depends on it come out as if added one by one.
#include <gtest/gtest.h>

#include <vector>

#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

/// (1 + 1e16) - 1e16 is 0; in the opposite order it is 1.
const std::vector<double> telling{1, 1e16, -1e16};

csr_matrix<double> rows_of(extents shape, const std::vector<std::vector<index_t>>& columns,
                           const std::vector<std::vector<double>>& values) {
  index_t nnz = 0;
  for (const auto& row : columns) nnz += static_cast<index_t>(row.size());
  csr_matrix<double> result(shape, nnz);
  const auto out = result.mutable_view();
  std::int32_t p = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t k = 0; k < columns[i].size(); ++k, ++p) {
      out.columns.as<std::int32_t>()[static_cast<std::size_t>(p)] =
          static_cast<std::int32_t>(columns[i][k]);
      out.values[p] = values[i][k];
    }
    out.offsets.as<std::int32_t>()[i + 1] = p;
  }
  return result;
}

TEST(heap_order, ties_follow_the_nonzeros_of_a) {
  const auto a = rows_of({1, 3}, {{0, 1, 2}}, {telling});
  const auto b = rows_of({3, 2}, {{0, 1}, {0, 1}, {0, 1}}, {{1, 1}, {1, 1}, {1, 1}});
  const auto c = multiply(context::openmp(1), a, b, {.algorithm = "heap"});
  ASSERT_EQ(c.nnz(), 2);
  EXPECT_EQ(c.values()[0], 0);
  EXPECT_EQ(c.values()[1], 0);
  const auto turned = rows_of({1, 3}, {{0, 1, 2}}, {{telling[2], telling[1], telling[0]}});
  EXPECT_EQ(multiply(context::openmp(1), turned, b, {.algorithm = "heap"}).values()[0], 1);
}

TEST(heap_order, duplicates_of_an_unsorted_row_follow_their_storage) {
  const auto a = rows_of({1, 1}, {{0}}, {{1}});
  const auto b = rows_of({1, 2}, {{1, 0, 0, 0}}, {{5, telling[0], telling[1], telling[2]}});
  const auto c = multiply(context::openmp(1), a, b, {.algorithm = "heap"});
  ASSERT_EQ(c.nnz(), 2);
  EXPECT_EQ(c.values()[0], 0);
  EXPECT_EQ(c.values()[1], 5);
}

}  // namespace
}  // namespace gossamer
