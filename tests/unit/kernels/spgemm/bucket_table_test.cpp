// The table of hashvec, by every variant this processor runs, against std::map.
#include "kernels/spgemm/hashvec/bucket_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "gossamer/context.hpp"

namespace gossamer {
namespace {

template <class I>
class row_case {
 public:
  row_case(index_t products, index_t range, index_t stride, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (index_t k = 0; k < products; ++k) {
      const auto column = static_cast<I>(static_cast<index_t>(random() >> 1) % range * stride);
      columns.push_back(column);
      values.push_back(static_cast<double>(random() % 2001) - 1000);
      expected[column] += values.back();
    }
  }
  std::vector<I> columns;
  std::vector<double> values;
  std::map<I, double> expected;
};

template <class I>
void check(bucket_table<I, double>& table, const row_case<I>& row, index_t run) {
  const auto entries = static_cast<index_t>(row.expected.size());
  const auto products = static_cast<index_t>(row.columns.size());
  table.reserve(entries);
  table.touch(row.columns.data(), products);
  ASSERT_EQ(table.count(), entries);
  table.forget();
  table.reserve(entries);
  for (index_t first = 0; first < products; first += run)
    table.add(row.columns.data() + first, std::min(run, products - first),
              [&](index_t k) { return row.values[static_cast<std::size_t>(first + k)]; });
  ASSERT_EQ(table.count(), entries);
  std::vector<I> columns(row.expected.size());
  std::vector<double> values(row.expected.size());
  table.take(columns.data(), values.data(), 2.0);
  std::size_t k = 0;
  for (const auto& [column, sum] : row.expected) {
    ASSERT_EQ(columns[k], column);
    ASSERT_EQ(values[k], 2 * sum) << "column " << column;
    ++k;
  }
}

/// One table for all rows, so that what a row leaves behind would be seen by the next.
template <class I>
void check_variant(bucket_locator<I> locate) {
  const index_t far = sizeof(I) == 8 ? index_t{1} << 40 : 1 << 16;
  bucket_table<I, double> table(context::reference().memory(), locate);
  std::uint64_t seed = 0;
  for (const index_t products : {0, 1, 2, 15, 16, 17, 40, 300, 5000, 3, 1000})
    for (const index_t range : {1, 7, 16, 400, 30'000})
      for (const index_t stride : {index_t{1}, index_t{64}, far})
        check(table, row_case<I>(products, range, stride, ++seed), 1 + products / 3);
}

TEST(bucket_table, every_variant_sums_like_a_map) {
  for (const auto locate : usable(bucket_locators<std::int32_t>()))
    check_variant<std::int32_t>(locate);
  for (const auto locate : usable(bucket_locators<std::int64_t>()))
    check_variant<std::int64_t>(locate);
}

// All columns want the same slot: searches go through many buckets and around the end.
TEST(bucket_table, columns_that_all_collide) {
  for (const auto locate : usable(bucket_locators<std::int64_t>())) {
    row_case<std::int64_t> row(0, 1, 1, 1);
    const auto mask =
        static_cast<std::uint64_t>(bucket_table<std::int64_t, double>::slots_for(100)) - 1;
    for (index_t column = 0; row.columns.size() < 100; ++column) {
      if (column_hash::of(mask + 1)(column) != mask - 1) continue;
      row.columns.push_back(column);
      row.values.push_back(static_cast<double>(column % 100));
      row.expected[column] += row.values.back();
    }
    bucket_table<std::int64_t, double> table(context::reference().memory(), locate);
    check(table, row, 100);
    check(table, row, 7);
  }
}

TEST(bucket_table, a_variant_for_every_processor) {
  EXPECT_NE(bucket_locators<std::int32_t>().portable, nullptr);
  EXPECT_NE(bucket_locators<std::int64_t>().portable, nullptr);
}

}  // namespace
}  // namespace gossamer
