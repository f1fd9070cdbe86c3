#include "formats/row_order.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gossamer {
namespace {

template <class I, class O>
csr_view<const double> rows_of(const std::vector<O>& offsets, const std::vector<I>& columns,
                               const std::vector<double>& values) {
  const auto rows = static_cast<index_t>(offsets.size()) - 1;
  return {values.data(), offsets.data(), columns.data(), {rows, 10}};
}

template <class I, class O>
void expect_order(std::vector<I> columns, bool ascend) {
  const std::vector<O> offsets{0, 3, 3, 5};
  const std::vector<double> values(columns.size(), 1.0);
  for (int threads : {1, 3})
    EXPECT_EQ(rows_ascend(threads, rows_of(offsets, columns, values)), ascend);
}

TEST(RowOrder, ColumnsAscendInEveryRow) {
  expect_order<std::int32_t, std::int32_t>({0, 4, 9, 1, 2}, true);
  expect_order<std::int32_t, std::int64_t>({0, 4, 9, 1, 2}, true);
  expect_order<std::int64_t, std::int64_t>({7, 8, 9, 0, 9}, true);
}

TEST(RowOrder, AStepBackIsFound) {
  expect_order<std::int32_t, std::int32_t>({4, 0, 9, 1, 2}, false);
  expect_order<std::int64_t, std::int64_t>({0, 4, 9, 2, 1}, false);
}

TEST(RowOrder, ADuplicateIsFound) {
  expect_order<std::int32_t, std::int32_t>({0, 4, 4, 1, 2}, false);
}

TEST(RowOrder, TheLastRowOfManyIsLookedAt) {
  constexpr index_t rows = 50'000;
  std::vector<std::int32_t> columns(2 * rows), offsets(rows + 1);
  for (std::size_t i = 0; i <= rows; ++i) offsets[i] = static_cast<std::int32_t>(2 * i);
  for (std::size_t p = 0; p < columns.size(); ++p) columns[p] = static_cast<std::int32_t>(p % 2);
  const std::vector<double> values(columns.size(), 1.0);
  EXPECT_TRUE(rows_ascend(4, rows_of(offsets, columns, values)));
  columns.back() = 0;
  EXPECT_FALSE(rows_ascend(4, rows_of(offsets, columns, values)));
}

TEST(RowOrder, IndicesNeverDecrease) {
  const std::vector<std::int32_t> narrow{0, 0, 3, 3, 4};
  const std::vector<std::int64_t> wide{0, 2, 1};
  EXPECT_TRUE(never_decrease(2, index_view(narrow.data(), 5)));
  EXPECT_FALSE(never_decrease(2, index_view(wide.data(), 3)));
  EXPECT_TRUE(never_decrease(2, index_view(wide.data(), 0)));
}

}  // namespace
}  // namespace gossamer
