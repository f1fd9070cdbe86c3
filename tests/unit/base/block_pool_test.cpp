// Large blocks: kept when freed, found again, given back on request.
#include "base/block_pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

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

/// The field of /proc/self/smaps_rollup in kB; nothing where the kernel has no such file or field.
std::optional<long> memory_field(const std::string& name) {
  std::ifstream file("/proc/self/smaps_rollup");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name + ":")) return std::stol(line.substr(name.size() + 1));
  return std::nullopt;
}

TEST(block_pool, reclaimable_blocks_are_left_to_the_kernel_until_they_are_used_again) {
  const auto before = memory_field("LazyFree");
  if (!before) GTEST_SKIP() << "the kernel does not tell which pages it may take back";
  block_pool pool(100 * megabyte, kept_pages::reclaimable), held(100 * megabyte);
  for (auto* const each : {&held, &pool}) {
    void* block = each->take(32 * megabyte);
    std::memset(block, 1, 32 * megabyte);
    each->give(block, 32 * megabyte);
    const long lazy = *memory_field("LazyFree") - *before;
    EXPECT_EQ(lazy > 16 * 1024, each == &pool) << lazy;
  }
  auto* again = static_cast<char*>(pool.take(32 * megabyte));
  std::memset(again, 7, 32 * megabyte);
  EXPECT_EQ(again[31 * megabyte], 7);
  EXPECT_LT(*memory_field("LazyFree") - *before, 1024);
  pool.give(again, 32 * megabyte);
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
