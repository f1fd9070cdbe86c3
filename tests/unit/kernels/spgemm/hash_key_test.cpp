// Columns that were chosen to share a slot share none under a key that their author does not know.
#include "base/hash_key.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "gossamer/types.hpp"

namespace gossamer {
namespace {

constexpr std::uint64_t slots = 4096;

/// The most slots that a search in a table of these columns, inserted one by one, has to look at.
template <class I>
index_t longest_search(const std::vector<I>& columns, std::uint64_t key) {
  std::vector<char> used(slots, 0);
  index_t longest = 0;
  for (const I column : columns) {
    index_t steps = 1;
    auto slot = column_hash{key, 64 - 12}(column);
    for (; used[slot] != 0; slot = (slot + 1) & (slots - 1)) ++steps;
    used[slot] = 1;
    longest = std::max(longest, steps);
  }
  return longest;
}

/// The golden ratio, the key of those who have none.
constexpr std::uint64_t usual = 0x9E3779B97F4A7C15u;

/// Columns that have the same slot under the usual key.
template <class I>
std::vector<I> chosen_columns(std::size_t count) {
  std::vector<I> columns;
  for (I column = 0; columns.size() < count; ++column)
    if (column_hash{usual, 64 - 12}(column) == 77) columns.push_back(column);
  return columns;
}

std::vector<std::uint64_t> keys() {
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> some{hash_key};
  for (int k = 0; k < 40; ++k) some.push_back(hash_key_of(random()));
  return some;
}

TEST(hash_key, columns_chosen_to_collide_do_not) {
  const auto narrow = chosen_columns<std::int32_t>(1000);
  const auto wide = chosen_columns<std::int64_t>(1000);
  EXPECT_EQ(longest_search(narrow, usual), 1000);
  EXPECT_EQ(longest_search(wide, usual), 1000);
  for (const auto key : keys()) {
    EXPECT_LT(longest_search(narrow, key), 100) << key;
    EXPECT_LT(longest_search(wide, key), 100) << key;
  }
}

TEST(hash_key, columns_far_apart_do_not_collide) {
  // All of their low bits are zero, and the product of a hash moves bits upwards only.
  std::vector<std::int64_t> far;
  for (std::int64_t k = 0; k < 1000; ++k) far.push_back(k << 40);
  for (const auto key : keys()) EXPECT_LT(longest_search(far, key), 100) << key;
}

TEST(hash_key, neighbours_and_strides_stay_spread) {
  for (const std::int32_t stride : {1, 2, 3, 64, 1000, 4096, 65536}) {
    std::vector<std::int32_t> columns;
    for (std::int32_t k = 0; k < 2000; ++k) columns.push_back(k * stride);
    for (const auto key : keys()) EXPECT_LT(longest_search(columns, key), 100) << stride;
  }
}

TEST(hash_key, the_golden_ratio_is_one_of_them) {
  EXPECT_EQ(hash_key_of(0) >> 4, usual >> 4);
  EXPECT_EQ(hash_key_of(3), hash_key_of(3));
  EXPECT_NE(hash_key_of(3) >> 32, hash_key_of(4) >> 32);
}

}  // namespace
}  // namespace gossamer
