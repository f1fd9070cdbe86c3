// Large blocks: kept when freed, found again, given back on request.
#include "base/block_pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>

namespace gossamer {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

TEST(block_pool, a_freed_block_is_found_again) {
  block_pool pool(100 * megabyte);
  void* first = pool.take(8 * megabyte);
  ASSERT_NE(first, nullptr);
  std::memset(first, 1, 8 * megabyte);
  pool.give(first, 8 * megabyte);
  EXPECT_EQ(pool.kept(), 8 * megabyte);
  EXPECT_EQ(pool.take(8 * megabyte), first);
  EXPECT_EQ(pool.kept(), 0);
  pool.give(first, 8 * megabyte);
  pool.release();
  EXPECT_EQ(pool.kept(), 0);
}

TEST(block_pool, a_block_of_about_the_size_will_do_and_others_will_not) {
  block_pool pool(1000 * megabyte);
  void* large = pool.take(100 * megabyte);
  pool.give(large, 100 * megabyte);
  const std::size_t kept = pool.kept();
  EXPECT_GE(kept, 100 * megabyte);
  EXPECT_LE(kept, 113 * megabyte);
  void* small = pool.take(60 * megabyte);
  EXPECT_NE(small, large);
  void* fitting = pool.take(97 * megabyte);
  EXPECT_EQ(fitting, large);
  std::memset(fitting, 1, kept);
  pool.give(fitting, 97 * megabyte);
  EXPECT_EQ(pool.kept(), kept);
  pool.give(small, 60 * megabyte);
}

TEST(block_pool, keeps_no_more_than_it_may) {
  block_pool pool(10 * megabyte);
  void* first = pool.take(8 * megabyte);
  void* second = pool.take(8 * megabyte);
  pool.give(first, 8 * megabyte);
  pool.give(second, 8 * megabyte);
  EXPECT_EQ(pool.kept(), 8 * megabyte);
}

TEST(block_pool, blocks_are_aligned_and_refusals_are_null) {
  block_pool pool(0);
  void* block = pool.take(3 * megabyte);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 4096, 0);
  pool.give(block, 3 * megabyte);
  EXPECT_EQ(pool.take(std::numeric_limits<std::size_t>::max() / 4), nullptr);
}

}  // namespace
}  // namespace gossamer
