// How rows would fill the lanes of SELL, by a sample of their groups.
#include <gtest/gtest.h>

#include "analysis/row_sample.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::analysis {
namespace {

struct rows_by_hand {
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<double> values;
  void add(const std::vector<std::int32_t>& row) {
    columns.insert(columns.end(), row.begin(), row.end());
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
    values.resize(columns.size(), 1.0);
  }
  lane_sample look(index_t cols) const {
    const index_t rows = std::ssize(offsets) - 1;
    return sample_lanes(
        csr_view<const double>(values.data(), offsets.data(), columns.data(), {rows, cols}));
  }
};

TEST(LaneSample, DiagonalsAreStraight) {
  rows_by_hand a;
  for (std::int32_t i = 0; i < 800; ++i) a.add({i, i + 3, i + 50});
  const auto seen = a.look(900);
  EXPECT_EQ(seen.groups, 32);
  EXPECT_EQ(seen.entries, 32 * 8 * 3);
  EXPECT_EQ(seen.straight, 32 * 3);
  EXPECT_EQ(seen.gathered, 0);
  EXPECT_FALSE(seen.sorted);
  EXPECT_EQ(seen.alone, 0);
}

TEST(LaneSample, ScatteredColumnsAreGathered) {
  rows_by_hand a;
  for (std::int32_t i = 0; i < 800; ++i) a.add({i * 37 % 101, 200 + i * 53 % 211});
  const auto seen = a.look(900);
  EXPECT_EQ(seen.straight, 0);
  EXPECT_EQ(seen.gathered, 2 * seen.groups);
  EXPECT_EQ(seen.gathered_entries, seen.entries);
  EXPECT_EQ(seen.wide, 0);
}

TEST(LaneSample, FarColumnsAreWide) {
  rows_by_hand a;
  for (std::int32_t i = 0; i < 800; ++i) a.add({i * 37 % 101, 100'000 + i * 53 % 211});
  const auto seen = a.look(200'000);
  EXPECT_EQ(seen.wide, seen.groups);
}

TEST(LaneSample, RowsOfDifferentLengthsAreSortedAndLongOnesLieAlone) {
  rows_by_hand a;
  std::vector<std::int32_t> row;
  for (std::int32_t i = 0; i < 4000; ++i) {
    row.clear();
    const std::int32_t length = i == 2000 ? 1000 : i * i % 13;
    for (std::int32_t k = 0; k < length; ++k) row.push_back(k * 3 + i % 5);
    a.add(row);
  }
  const auto seen = a.look(4000);
  EXPECT_TRUE(seen.sorted);
  EXPECT_GT(seen.alone, 0.02);
  EXPECT_LT(seen.alone, 0.1);
  // Sorted by length, lanes are nearly full.
  EXPECT_GT(static_cast<double>(seen.gathered_entries),
            0.85 * 8 * static_cast<double>(seen.gathered + seen.straight) -
                8.0 * static_cast<double>(seen.straight));
}

TEST(LaneSample, NoRowsAndEmptyRows) {
  rows_by_hand a;
  EXPECT_EQ(a.look(5).groups, 0);
  for (int i = 0; i < 20; ++i) a.add({});
  const auto seen = a.look(5);
  EXPECT_EQ(seen.entries, 0);
  EXPECT_EQ(seen.gathered + seen.straight, 0);
}

TEST(LaneSample, AFewVeryLongRows) {
  rows_by_hand a;
  std::vector<std::int32_t> row(50'000);
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = static_cast<std::int32_t>(k);
  for (int i = 0; i < 5; ++i) a.add(row);
  const auto seen = a.look(50'000);
  EXPECT_EQ(seen.groups, 1);
  EXPECT_LE(seen.entries, 16'384);  // the beginning is enough
}

}  // namespace
}  // namespace gossamer::analysis
