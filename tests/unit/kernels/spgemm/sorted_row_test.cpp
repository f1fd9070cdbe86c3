// Short rows by sorting: bitwise the same as dense sums, at every length and width.
#include "kernels/spgemm/adaptive/sorted_row.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace gossamer {
namespace {

/// A row of A (1 x `entries`) and B with rows of `each` nonzeros somewhere below `columns`.
struct random_row {
  std::vector<std::int32_t> a_offsets, a_columns, b_offsets, b_columns;
  std::vector<double> a_values, b_values;
  random_row(index_t entries, index_t each, index_t columns, bool descending) {
    std::mt19937_64 random(static_cast<std::uint64_t>(entries * 1000 + each));
    b_offsets = {0};
    for (index_t k = 0; k < entries; ++k) {
      a_columns.push_back(static_cast<std::int32_t>(descending ? entries - 1 - k : k));
      a_values.push_back(static_cast<double>(random() % 1000) / 7);
      for (index_t e = 0; e < each; ++e) {
        // Half of them near each other, so that columns meet; always the last possible one.
        const auto wide = static_cast<index_t>(random() % static_cast<std::uint64_t>(columns));
        const index_t column = e == 0 ? columns - 1 : e % 2 == 0 ? wide : wide % 40;
        b_columns.push_back(static_cast<std::int32_t>(std::min(column, columns - 1)));
        b_values.push_back(static_cast<double>(random() % 1000) / 3);
      }
      b_offsets.push_back(static_cast<std::int32_t>(b_columns.size()));
    }
    a_offsets = {0, static_cast<std::int32_t>(entries)};
  }
  direct_rows<double, std::int32_t> a() const {
    return {{a_offsets.data(), 2}, a_columns.data(), a_values.data()};
  }
  direct_rows<double, std::int32_t> b() const {
    return {{b_offsets.data(), static_cast<index_t>(b_offsets.size())},
            b_columns.data(),
            b_values.data()};
  }
};

void expect_row(index_t entries, index_t each, index_t columns, bool descending) {
  const random_row result(entries, each, columns, descending);
  std::map<std::int32_t, double> expected;
  for (std::size_t k = 0; k < result.a_columns.size(); ++k) {
    const auto from = static_cast<std::size_t>(result.a_columns[k]);
    for (auto q = static_cast<std::size_t>(result.b_offsets[from]);
         q < static_cast<std::size_t>(result.b_offsets[from + 1]); ++q)
      expected[result.b_columns[q]] += result.a_values[k] * result.b_values[q];
  }
  sorted_row<double> row(columns);
  const index_t products = entries * each;
  ASSERT_EQ(row.list(result.a(), result.b(), 0, entries, row.most()), products <= row.most());
  if (products > row.most()) return;
  ASSERT_EQ(row.count(), products);
  std::vector<std::int32_t> found;
  std::vector<double> values;
  // Just the room that is needed, and nothing written behind it.
  const auto needed = static_cast<index_t>(expected.size());
  ASSERT_EQ(row.entries(), needed);
  found.assign(expected.size() + 1, -7);
  values.assign(expected.size() + 1, -7);
  ASSERT_EQ(row.take(found.data(), values.data(), needed, 2.0), needed);
  EXPECT_EQ(found.back(), -7);
  EXPECT_EQ(values.back(), -7);
  std::size_t at = 0;
  for (const auto& [column, value] : expected) {
    EXPECT_EQ(found[at], column);
    EXPECT_EQ(values[at++], 2.0 * value) << products << " products, column " << column;
  }
}

TEST(sorted_row, every_length_and_width) {
  for (const index_t columns : {index_t{1}, index_t{50}, index_t{1} << 23, index_t{1} << 24,
                                (index_t{1} << 24) + 1, index_t{1} << 27, (index_t{1} << 31) - 1})
    for (const index_t entries : {0, 1, 2, 5, 8, 9, 16, 30, 64, 85, 128, 170})
      for (const index_t each : {1, 3, 4}) {
        expect_row(entries, each, columns, false);
        expect_row(entries, each, columns, true);
      }
}

TEST(sorted_row, room_shrinks_with_the_number_of_columns) {
  EXPECT_EQ(sorted_row<double>(1000).most(), 512);
  EXPECT_EQ(sorted_row<double>(index_t{1} << 23).most(), 512);
  EXPECT_EQ(sorted_row<double>((index_t{1} << 23) + 1).most(), 256);
  EXPECT_EQ(sorted_row<float>(index_t{1} << 30).most(), 4);
  EXPECT_EQ(sorted_row<float>(index_t{1} << 32).most(), 0);
  EXPECT_EQ(sorted_row<float>(index_t{1} << 40).most(), 0);
}

}  // namespace
}  // namespace gossamer
