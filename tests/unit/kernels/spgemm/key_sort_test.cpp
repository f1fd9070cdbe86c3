// Sorting networks: every variant this processor runs, every count, against std::sort.
#include "kernels/spgemm/adaptive/key_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace gossamer {
namespace {

struct alignas(64) padded_keys {
  std::array<std::uint32_t, room_for_keys + 1> all{};
};

void expect_sorted(key_sorter sort, std::vector<std::uint32_t> numbers) {
  constexpr std::uint32_t guard = 0x5A5A5A5A;
  padded_keys keys;
  std::copy(numbers.begin(), numbers.end(), keys.all.begin());
  keys.all[room_for_keys] = guard;
  sort(keys.all.data(), static_cast<index_t>(numbers.size()));
  std::sort(numbers.begin(), numbers.end());
  EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), keys.all.begin()))
      << numbers.size() << " keys";
  EXPECT_EQ(keys.all[room_for_keys], guard) << numbers.size() << " keys: wrote beyond the room";
}

TEST(key_sort, every_count_by_every_variant) {
  std::mt19937 random(1);
  for (const auto sort : usable(key_sorters()))
    for (std::size_t count = 0; count <= most_keys; ++count)
      for (const unsigned shift : {0u, 28u}) {  // far apart, and many equal ones
        std::vector<std::uint32_t> numbers(count);
        for (auto& n : numbers) n = static_cast<std::uint32_t>(random()) >> shift;
        expect_sorted(sort, std::move(numbers));
      }
}

TEST(key_sort, orders_that_networks_get_wrong_when_a_step_is_missing) {
  for (const auto sort : usable(key_sorters()))
    for (const std::size_t count : {16, 32, 64, 128, 256}) {
      std::vector<std::uint32_t> up(count), down(count), ones(count, ~std::uint32_t{0});
      for (std::size_t k = 0; k < count; ++k) {
        up[k] = static_cast<std::uint32_t>(k);
        down[k] = static_cast<std::uint32_t>(count - k);
      }
      expect_sorted(sort, up);
      expect_sorted(sort, down);
      expect_sorted(sort, ones);
      // The 0-1 principle: single zeros and single ones, at every place.
      for (std::size_t k = 0; k < count; ++k) {
        std::vector<std::uint32_t> zero(count, 1), one(count, 0);
        zero[k] = 0;
        one[k] = 1;
        expect_sorted(sort, zero);
        expect_sorted(sort, one);
      }
    }
}

}  // namespace
}  // namespace gossamer
