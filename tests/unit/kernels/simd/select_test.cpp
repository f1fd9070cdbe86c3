// Selecting a variant by level.
#include "kernels/simd/select.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "gossamer/memory.hpp"
#include "kernels/simd/stream_lines.hpp"
#include "kernels/spgemm/accumulators/column_runs.hpp"

namespace gossamer {
namespace {

using enum simd_level;
using number = int (*)();
int zero() { return 0; }
int two() { return 2; }
int five() { return 5; }

TEST(select, the_widest_variant_that_the_level_allows) {
  const variants<number> all{zero, two, five};
  EXPECT_EQ(select(all, portable), zero);
  EXPECT_EQ(select(all, avx2), two);
  EXPECT_EQ(select(all, avx512), five);
}

TEST(select, a_level_without_a_variant_takes_the_next_lower_one) {
  const variants<number> no_avx2{.portable = zero, .avx512 = five};
  EXPECT_EQ(select(no_avx2, avx2), zero);
  const variants<number> no_avx512{zero, two};
  EXPECT_EQ(select(no_avx512, avx512), two);
  const variants<number> avx512_only{.avx512 = five};
  EXPECT_EQ(select(avx512_only, avx2), nullptr);
  EXPECT_EQ(select(variants<number>{}, avx512), nullptr);
}

TEST(select, usable_variants_end_with_the_selected_one) {
  const variants<number> all{zero, two, five};
  const auto found = usable(all);
  ASSERT_EQ(found.size(), static_cast<std::size_t>(simd().used()) + 1);
  EXPECT_EQ(found.front(), zero);
  EXPECT_EQ(found.back(), select(all));
  EXPECT_EQ(usable(variants<number>{.portable = zero}), std::vector<number>{zero});
  EXPECT_TRUE(usable(variants<number>{}).empty());
}

/// Runs of every length up to 40, against plain loops; sums beyond the last one are left alone
/// except for the zeros that a run adds behind itself.
template <class T>
void expect_plain_sums() {
  for (const auto add : usable(run_adders<T>()))
    for (std::int32_t length = 1; length <= 40; ++length) {
      const column_run runs[] = {{3, length}, {length + 5, length}};
      std::vector<T> values, sums(static_cast<std::size_t>(2 * length + 5 + beyond_a_run));
      for (std::int32_t k = 0; k < 2 * length; ++k) values.push_back(T{1} / static_cast<T>(k + 3));
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = T{1} / static_cast<T>(k + 7);
      auto expected = sums;
      std::size_t next = 0;
      for (const auto& run : runs)
        for (std::int32_t k = 0; k < length; ++k) {
          const T product = T{3} / T{7} * values[next++];
          expected[static_cast<std::size_t>(run.first + k)] += product;
        }
      add(runs, 2, values.data(), values.data() + values.size(), T{3} / T{7}, sums.data());
      ASSERT_EQ(sums, expected) << length;
    }
}

TEST(run_adders, the_bits_of_plain_loops) {
  expect_plain_sums<double>();
  expect_plain_sums<float>();
}

TEST(stream_lines, copies_whole_lines) {
  for (const index_t bytes : {64, 128, 1024}) {
    buffer<char> to(bytes + 64);
    std::vector<char> from(static_cast<std::size_t>(bytes + 1));
    for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<char>(k * 7);
    std::fill_n(to.data(), bytes + 64, char{1});
    stream_lines(to.data(), from.data() + 1, bytes);  // the source need not be aligned
    stream_fence();
    EXPECT_TRUE(std::equal(from.begin() + 1, from.end(), to.data()));
    EXPECT_EQ(to[bytes], 1);
  }
}

}  // namespace
}  // namespace gossamer
