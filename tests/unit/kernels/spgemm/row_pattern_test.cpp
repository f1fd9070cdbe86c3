// Rows by patterns: every variant gives bitwise the result of plain sums.
#include "kernels/spgemm/adaptive/row_pattern.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>
#include <thread>

#include "kernels/spgemm/adaptive/intern_table.hpp"

namespace gossamer {
namespace {

using row_list = std::vector<std::vector<std::int64_t>>;

/// Rows of B: ascending columns below `width`, one of three of them.
row_list random_rows(std::size_t count, std::int64_t width, unsigned seed) {
  std::mt19937 random(seed);
  row_list rows(count);
  for (auto& row : rows) {
    for (std::int64_t column = 0; column < width; ++column)
      if (random() % 3 == 0) row.push_back(column);
    if (row.empty()) row.push_back(width - 1);
  }
  return rows;
}

template <class T, class J>
void expect_row(const row_list& columns, T infinite_at) {
  const auto pattern = make_pattern(columns, step_lanes<T>());
  ASSERT_TRUE(pattern);
  std::mt19937 random(7);
  std::vector<T> factors;
  std::vector<std::vector<T>> values;
  std::map<std::int64_t, T> expected;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    factors.push_back(k == 1 ? infinite_at : static_cast<T>(random() % 1000) / 7);
    values.emplace_back();
    for (const auto column : columns[k]) {
      values.back().push_back(static_cast<T>(random() % 1000) / 3);
      auto& sum = expected.try_emplace(column, T{0}).first->second;
      const T product = factors.back() * values.back().back();
      sum += product;
    }
  }
  const auto entries = expected.size();
  ASSERT_EQ(pattern->entries(), static_cast<index_t>(entries));
  std::vector<const T*> rows;
  for (const auto& row : values) rows.push_back(row.data());
  std::vector<J> found(entries + 1, -7);
  std::vector<T> sums(entries + 1, -7);
  const std::int64_t base = columns[0].front() + 1000;
  if (pattern->steps.empty()) {
    std::fill_n(sums.begin(), entries, T{0});
    std::size_t product = 0;
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (const T value : values[k]) sums[pattern->places[product++]] += factors[k] * value;
    ASSERT_EQ(product, pattern->places.size());
    for (std::size_t k = 0; k < entries; ++k) {
      found[k] = static_cast<J>(base + pattern->columns[k]);
      sums[k] *= 2;
    }
  } else {
    select(step_fillers<T, J>())(*pattern, factors.data(), rows.data(), 2, base, found.data(),
                                 sums.data());
  }
  EXPECT_EQ(found.back(), -7);
  EXPECT_EQ(sums.back(), -7);
  std::size_t at = 0;
  for (const auto& [column, sum] : expected) {
    EXPECT_EQ(found[at], column + 1000);
    EXPECT_EQ(sums[at++], 2 * sum) << entries << " entries, column " << column;
  }
}

TEST(row_pattern, every_length_and_type) {
  for (const std::int64_t width : {1, 2, 7, 8, 9, 15, 16, 17, 33, 100, 300})
    for (const std::size_t count : {1U, 2U, 5U, 27U}) {
      const auto rows = random_rows(count, width, static_cast<unsigned>(width));
      expect_row<double, std::int32_t>(rows, 3);
      expect_row<double, std::int64_t>(rows, 3);
      expect_row<float, std::int32_t>(rows, 3);
      expect_row<float, std::int64_t>(rows, 3);
    }
}

TEST(row_pattern, an_infinite_factor_stays_in_its_columns) {
  expect_row<double, std::int32_t>({{0, 1, 2, 3, 4}, {1, 2, 5, 6}, {0, 6, 7}},
                                   std::numeric_limits<double>::infinity());
  expect_row<float, std::int32_t>({{0, 1, 2, 3, 4}, {1, 2, 5, 6}, {0, 6, 7}},
                                  std::numeric_limits<float>::infinity());
}

TEST(row_pattern, steps_only_where_they_take_more_than_one_product) {
  EXPECT_TRUE(make_pattern(row_list{{4}, {0}, {8}}, 8)->steps.empty());
  EXPECT_TRUE(make_pattern(row_list{{0, 1, 2}, {1, 2, 3}}, 1)->steps.empty());
  const auto values = make_pattern(row_list{{0, 1, 2}, {1, 2, 9}, {9, 10, 11}}, 4);
  // C has the columns 0 1 2 9 | 10 11.
  ASSERT_EQ(values->ends, (std::vector<std::uint32_t>{3, 4}));
  EXPECT_TRUE(values->places.empty());
  EXPECT_EQ(values->steps[1].entry, 1);
  EXPECT_EQ(values->steps[1].first, 0);
  EXPECT_EQ(values->steps[1].to, 0b1110);
  EXPECT_EQ(values->steps[3].entry, 2);
  EXPECT_EQ(values->steps[3].first, 1);
  EXPECT_EQ(values->steps[3].to, 0b0011);
}

TEST(row_pattern, what_its_numbers_cannot_hold_has_none) {
  EXPECT_FALSE(make_pattern(row_list{{0, std::int64_t{1} << 32}}, 8));
  EXPECT_FALSE(make_pattern(row_list{{std::int64_t{1} << 32}, {0}}, 8));
  EXPECT_TRUE(make_pattern(row_list{{std::int64_t{1} << 40, (std::int64_t{1} << 40) + 1}}, 8));
  EXPECT_FALSE(make_pattern(row_list(70'000, {3}), 8));
}

TEST(row_pattern, rows_without_entries) {
  const auto result = make_pattern(row_list{}, 8);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->entries(), 0);
}

struct item {
  std::vector<std::uint64_t> numbers;
  int id = 0;
};

TEST(intern_table, the_same_numbers_are_the_same_item) {
  intern_table<item> table;
  sequence_reader reader(table);
  const auto make = [] { return std::make_unique<item>(); };
  const auto id = [&](std::vector<std::uint64_t> numbers) {
    return reader
        .read(
            static_cast<index_t>(numbers.size()),
            [&](index_t k) { return numbers[static_cast<std::size_t>(k)]; }, make)
        ->id;
  };
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(id({1, 2, 3}), 0);
    EXPECT_EQ(id({1, 2, 3}), 0);
    EXPECT_EQ(id({1, 2}), 1);
    EXPECT_EQ(id({1, 2, 4}), 2);
    EXPECT_EQ(id({}), 3);
    EXPECT_EQ(id({0}), 4);
  }
  EXPECT_EQ(table.size(), 5);
  EXPECT_EQ(table[2].numbers, (std::vector<std::uint64_t>{1, 2, 4}));
}

TEST(intern_table, says_so_when_it_is_full_or_nothing_is_made) {
  using table_type = intern_table<item>;
  table_type table;
  const std::vector<std::uint64_t> refused{99};
  EXPECT_EQ(table.find(refused, [] { return std::unique_ptr<item>(); }), nullptr);
  for (std::uint64_t k = 0; k < 2 * table_type::most; ++k) {
    const std::vector<std::uint64_t> numbers{k, 5};
    const auto* found = table.find(numbers, [] { return std::make_unique<item>(); });
    if (k < table_type::most)
      ASSERT_EQ(found->id, static_cast<int>(k));
    else
      ASSERT_EQ(found, nullptr);
  }
  EXPECT_EQ(table.find(std::vector<std::uint64_t>{17, 5}, [] { return nullptr; })->id, 17);
}

TEST(intern_table, threads_agree) {
  intern_table<item> table;
  std::vector<std::vector<int>> ids(4, std::vector<int>(300));
  std::vector<std::thread> threads;
  for (auto& mine : ids)
    threads.emplace_back([&] {
      sequence_reader reader(table);
      for (std::size_t k = 0; k < mine.size(); ++k)
        mine[k] = reader
                      .read(
                          2, [&](index_t i) { return i == 0 ? k % 100 : 7; },
                          [] { return std::make_unique<item>(); })
                      ->id;
    });
  for (auto& thread : threads) thread.join();
  for (const auto& mine : ids) EXPECT_EQ(mine, ids[0]);
  EXPECT_EQ(table.size(), 100);
}

}  // namespace
}  // namespace gossamer
