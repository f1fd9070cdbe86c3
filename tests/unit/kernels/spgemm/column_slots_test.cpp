#include "kernels/spgemm/accumulators/column_slots.hpp"

#include <gtest/gtest.h>

#include <random>

namespace gossamer {
namespace {

template <class I>
void check_sorted(index_t count, index_t base, index_t range) {
  std::mt19937_64 random(static_cast<std::uint64_t>(count + range));
  std::vector<column_slot<I>> list;
  std::vector<I> expected;
  for (index_t k = 0; k < count; ++k) {
    const auto column = static_cast<I>(base + static_cast<index_t>(random() >> 1) % range);
    list.push_back({column, static_cast<std::make_unsigned_t<I>>(column + 1)});
    expected.push_back(column);
  }
  std::sort(expected.begin(), expected.end());
  std::vector<column_slot<I>> scratch(list.size());
  const auto* sorted = sort_by_column(list.data(), scratch.data(), count);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    ASSERT_EQ(sorted[k].column, expected[k]) << k << " of " << count;
    ASSERT_EQ(sorted[k].slot, static_cast<std::make_unsigned_t<I>>(expected[k] + 1));
  }
}

TEST(column_slots, sorted_with_their_slots) {
  for (const index_t count : {0, 1, 2, 63, 64, 65, 1000}) {
    check_sorted<std::int32_t>(count, 1000, 1);  // all the same
    check_sorted<std::int32_t>(count, 500, 200);
    check_sorted<std::int32_t>(count, 1 << 30, (1 << 30) - 1);
    check_sorted<std::int64_t>(count, 500, 1 << 13);
    check_sorted<std::int64_t>(count, index_t{1} << 61, index_t{1} << 60);
  }
}

}  // namespace
}  // namespace gossamer
