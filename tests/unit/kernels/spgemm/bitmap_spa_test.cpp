// The accumulator of spgemm/csr/adaptive, by hand and against an ordered map.
#include "kernels/spgemm/accumulators/bitmap_spa.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "kernels/spgemm/frame/row_store.hpp"
#include "kernels/spgemm/operands/row_access.hpp"

namespace gossamer {
namespace {

struct plain_rows {
  using column_type = std::int32_t;
  std::vector<index_t> offsets{0};
  std::vector<std::int32_t> columns = {};
  std::vector<double> values = {};
  void row(const std::map<std::int32_t, double>& entries) {
    for (const auto& [column, value] : entries) {
      columns.push_back(column);
      values.push_back(value);
    }
    offsets.push_back(static_cast<index_t>(columns.size()));
  }
  index_t begin(index_t i) const { return offsets[static_cast<std::size_t>(i)]; }
  index_t end(index_t i) const { return offsets[static_cast<std::size_t>(i) + 1]; }
  index_t column(index_t q) const { return columns[static_cast<std::size_t>(q)]; }
  double value(index_t q) const { return values[static_cast<std::size_t>(q)]; }
};

struct taken {
  std::vector<std::int32_t> columns;
  std::vector<double> values;
};

taken take(bitmap_spa<std::int32_t, double>& row, double alpha = 1) {
  taken out{std::vector<std::int32_t>(1000), std::vector<double>(1000)};
  const auto count =
      static_cast<std::size_t>(row.take(out.columns.data(), out.values.data(), alpha));
  out.columns.resize(count);
  out.values.resize(count);
  return out;
}

TEST(bitmap_spa, sums_and_sorts) {
  plain_rows b;
  b.row({{5, 1}, {64, 2}, {4096, 3}});
  b.row({{0, 10}, {64, 20}, {299'999, 30}});
  bitmap_spa<std::int32_t, double> row(300'000, host_memory());
  row.add(b, 0, 2);
  row.add(b, 1, 1);
  const taken found = take(row, 10);
  EXPECT_EQ(found.columns, (std::vector<std::int32_t>{0, 5, 64, 4096, 299'999}));
  EXPECT_EQ(found.values, (std::vector<double>{100, 20, 240, 60, 300}));
  EXPECT_TRUE(take(row).columns.empty()) << "taking empties it";
}

TEST(bitmap_spa, what_cancels_stays) {
  plain_rows b;
  b.row({{7, 1}});
  bitmap_spa<std::int32_t, double> row(8, host_memory());
  row.add(b, 0, 1);
  row.add(b, 0, -1);
  const taken found = take(row);
  EXPECT_EQ(found.columns, std::vector<std::int32_t>{7});
  EXPECT_EQ(found.values, std::vector<double>{0});
}

TEST(bitmap_spa, marks_and_known_columns) {
  plain_rows b;
  b.row({{1, 1}, {100, 2}});
  b.row({{100, 3}, {5000, 4}});
  bitmap_spa<std::int32_t, double> row(6000, host_memory());
  row.mark(b, 0);
  row.mark(b, 1);
  std::vector<std::int32_t> columns(3);
  row.take_columns(columns.data());
  EXPECT_EQ(columns, (std::vector<std::int32_t>{1, 100, 5000}));
  row.mark(b, 0);
  EXPECT_EQ(row.count(), 2);
  row.add_known(b, 0, 1);
  row.add_known(b, 1, 1);
  std::vector<double> values(3);
  row.take_known(columns.data(), 3, values.data(), 2.0);
  EXPECT_EQ(values, (std::vector<double>{2, 10, 8}));
  EXPECT_EQ(row.count(), 0);
}

TEST(bitmap_spa, against_a_map) {
  std::mt19937 random(7);
  for (const index_t width : {1, 63, 64, 65, 4097, 300'000}) {
    bitmap_spa<std::int32_t, double> row(width, host_memory());
    for (int turn = 0; turn < 20; ++turn) {
      plain_rows b;
      std::map<std::int32_t, double> expected;
      for (index_t r = 0; r < 5; ++r) {
        std::map<std::int32_t, double> entries;
        for (int k = 0; k < 20; ++k)
          entries[static_cast<std::int32_t>(random() % static_cast<unsigned>(width))] =
              static_cast<double>(random() % 100);
        b.row(entries);
        for (const auto& [column, value] : entries) expected[column] += 3 * value;
        row.add(b, r, 3);
      }
      const taken found = take(row);
      ASSERT_EQ(found.columns.size(), expected.size());
      std::size_t at = 0;
      for (const auto& [column, value] : expected) {
        EXPECT_EQ(found.columns[at], column);
        EXPECT_EQ(found.values[at++], value);
      }
    }
  }
}

TEST(row_writer, segments_find_their_place) {
  std::vector<row_writer<std::int32_t, double>> writers;
  writers.emplace_back(host_memory());
  writers.emplace_back(host_memory());
  const auto write = [](auto& to, index_t row, std::vector<std::int32_t> columns) {
    const auto room = to.reserve(row, static_cast<index_t>(columns.size()) + 2);  // too much
    for (std::size_t k = 0; k < columns.size(); ++k) {
      room.columns[k] = columns[k];
      room.values[k] = 10.0 * columns[k];
    }
    to.give_back(2);
  };
  write(writers[1], 0, {1});
  write(writers[1], 1, {});
  write(writers[0], 2, {2, 3});
  writers[1].begin_segment();
  write(writers[1], 3, {4});
  const std::vector<index_t> offsets{0, 1, 1, 3, 4};
  std::vector<std::int64_t> columns(4);
  std::vector<double> values(4);
  copy_segments(writers, offsets.data(), columns.data(), values.data(), 2);
  EXPECT_EQ(columns, (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(values, (std::vector<double>{10, 20, 30, 40}));
}

}  // namespace
}  // namespace gossamer
