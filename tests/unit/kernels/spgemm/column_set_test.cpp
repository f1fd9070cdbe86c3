// The distinct columns of a row in any memory: by bits, in a table, window by window.
#include "kernels/spgemm/accumulators/column_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "gossamer/generate.hpp"

namespace gossamer {
namespace {

/// Rows of B with columns of their own choice, as kernels see them.
struct plain_rows {
  std::vector<index_t> offsets{0}, columns;
  void add(std::vector<index_t> row) {
    columns.insert(columns.end(), row.begin(), row.end());
    offsets.push_back(static_cast<index_t>(columns.size()));
  }
  direct_rows<double, std::int64_t> view() const {
    return {index_view(offsets.data(), static_cast<index_t>(offsets.size())), columns.data(),
            nullptr};
  }
};

void expect_each_once(index_t columns, const std::vector<std::vector<index_t>>& rows) {
  plain_rows a, b;
  std::set<index_t> wanted;
  std::vector<index_t> all;
  for (const auto& row : rows) {
    all.push_back(static_cast<index_t>(all.size()));
    b.add(row);
    wanted.insert(row.begin(), row.end());
  }
  a.add(all);
  for (const index_t bytes : {column_set::least_bytes(columns),
                              std::min<index_t>(column_set::most_bytes(columns), 1 << 22)}) {
    column_set set(columns, bytes, host_memory());
    for (int again = 0; again < 2; ++again) {  // it is left empty
      std::vector<index_t> found;
      set.for_each(a.view(), b.view(), 0, static_cast<index_t>(all.size()),
                   [&](index_t column) { found.push_back(column); });
      std::sort(found.begin(), found.end());
      EXPECT_EQ(set.count(a.view(), b.view(), 0, static_cast<index_t>(all.size())),
                static_cast<index_t>(wanted.size()));
      EXPECT_TRUE(std::ranges::equal(found, wanted))
          << columns << " columns, " << bytes << " bytes";
    }
  }
}

TEST(column_set, sizes) {
  EXPECT_EQ(column_set::least_bytes(1), 16);
  EXPECT_EQ(column_set::least_bytes(64), 16);
  EXPECT_EQ(column_set::least_bytes(65), 24);
  EXPECT_EQ(column_set::least_bytes(64 * 64 + 1), 65 * 8 + 2 * 8);
  EXPECT_EQ(column_set::least_bytes(index_t{1} << 40), 32'768);
  EXPECT_EQ(column_set::most_bytes(index_t{1} << 40), (index_t{1} << 37) + (index_t{1} << 31));
}

TEST(column_set, every_way_finds_each_column_once) {
  std::mt19937_64 random(1);
  for (const index_t columns : {index_t{1}, index_t{64}, index_t{5000}, index_t{300'000},
                                index_t{3'000'000}, index_t{1} << 40})
    for (const int products : {0, 1, 7, 2000, 2048, 2049, 20'000}) {
      std::vector<std::vector<index_t>> rows(5);
      for (int k = 0; k < products; ++k)
        rows[random() % 5].push_back(static_cast<index_t>(
            random() %
            static_cast<std::uint64_t>(k % 3 == 0 ? std::min<index_t>(columns, 100) : columns)));
      expect_each_once(columns, rows);
    }
  expect_each_once(100, {});
}

TEST(column_set, windows_end_where_columns_do) {
  const index_t window = (4096 - 64) * 64;  // 32 KB less the words above
  std::vector<index_t> row;
  for (index_t k = 0; k < 3000; ++k) row.push_back(k % 2 == 0 ? window - 1 : window);
  row.push_back(0), row.push_back(3 * window - 1), row.push_back(3 * window),
      row.push_back(5 * window);
  expect_each_once(5 * window + 1, {row, {}, row});
}

/// Rows that count how often one of them is begun.
struct counting_rows : direct_rows<double, std::int64_t> {
  index_t* begun = nullptr;
  index_t begin(index_t row) const {
    ++*begun;
    return direct_rows::begin(row);
  }
};

TEST(column_set, columns_far_apart_do_not_cost_a_window_each) {
  constexpr index_t products = 20'000;
  std::mt19937_64 random(2);
  plain_rows a, b;
  std::vector<index_t> row;
  for (index_t k = 0; k < products; ++k)
    row.push_back(static_cast<index_t>(random() % (std::uint64_t{1} << 40)));
  a.add({0});
  b.add(row);
  index_t begun = 0;
  const auto plain = b.view();
  const counting_rows counted{{plain.offsets, plain.columns, nullptr}, &begun};
  column_set set(index_t{1} << 40, column_set::least_bytes(index_t{1} << 40), host_memory());
  const std::set<index_t> distinct(row.begin(), row.end());
  EXPECT_EQ(set.count(a.view(), counted, 0, 1), static_cast<index_t>(distinct.size()));
  // 32 KB hold 4096 columns, of which a quarter is meant to be used at once.
  EXPECT_LT(begun, 8 * products / 1024);
}

}  // namespace
}  // namespace gossamer
