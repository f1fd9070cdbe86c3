// The two radix sorts against std::stable_sort: random keys, keys that are all equal, sorted,
// reversed, or differ in one bit only, of 4 and of 8 bytes.
#include "kernels/spgemm/pb/radix_sort.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

namespace gossamer {

namespace {

template <class K>
struct named_keys {
  std::string name;
  int bits;
  std::vector<K> keys;
};

template <class K>
std::vector<named_keys<K>> all_keys() {
  std::mt19937_64 random(7);
  std::vector<named_keys<K>> list;
  const int widest = 8 * sizeof(K);
  for (const int bits : {0, 1, 7, 8, 11, 12, 22, 30, widest}) {
    const K mask = bits == widest ? static_cast<K>(~K{0}) : static_cast<K>((K{1} << bits) - 1);
    for (const std::size_t n : {0, 1, 2, 31, 33, 1000, 20000}) {
      std::vector<K> keys(n);
      for (K& key : keys) key = static_cast<K>(random()) & mask;
      list.push_back({"random", bits, keys});
      std::sort(keys.begin(), keys.end());
      list.push_back({"ascending", bits, keys});
      std::reverse(keys.begin(), keys.end());
      list.push_back({"descending", bits, keys});
      list.push_back({"equal", bits, std::vector<K>(n, mask)});
      for (std::size_t i = 0; i < n; ++i) keys[i] = i % 2 == 0 ? mask : static_cast<K>(mask >> 1);
      list.push_back({"highest bit", bits, keys});
      for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<K>(i * i % 5) & mask;
      list.push_back({"few", bits, keys});
    }
  }
  return list;
}

template <class K>
struct RadixSort : testing::Test {};
using key_types = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(RadixSort, key_types);

TYPED_TEST(RadixSort, StableKeepsTheOrderOfEqualKeys) {
  using K = TypeParam;
  auto counts = std::make_unique<digit_counts<K>>();
  for (const auto& [name, bits, keys] : all_keys<K>()) {
    const auto n = static_cast<index_t>(keys.size());
    // Two runs with a gap of five places between their values.
    const index_t half = n / 3;
    const auto* values = reinterpret_cast<const char*>(keys.data());
    const std::vector<key_run<K>> runs{{keys.data(), 0, half, values, 0},
                                       {keys.data() + half, half + 5, n - half, values, 0}};
    std::vector<keyed_place<K>> one(keys.size() + 1), other(keys.size() + 1), wanted;
    for (index_t i = 0; i < n; ++i)
      wanted.push_back({keys[static_cast<std::size_t>(i)], static_cast<K>(i < half ? i : i + 5)});
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    const auto* found = sort_stable<K>(runs, bits, one.data(), other.data(), *counts);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(found[i].key, wanted[i].key) << name << ", " << bits << " bits, place " << i;
      ASSERT_EQ(found[i].at, wanted[i].at) << name << ", " << bits << " bits, place " << i;
    }
  }
}

TYPED_TEST(RadixSort, AmericanFlagMovesValuesWithTheirKeys) {
  using K = TypeParam;
  for (const auto& [name, bits, keys] : all_keys<K>()) {
    auto found = keys;
    std::vector<double> values(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) values[i] = static_cast<double>(i);
    american_flag_sort(found.data(), values.data(), static_cast<index_t>(keys.size()), bits);
    auto wanted = keys;
    std::sort(wanted.begin(), wanted.end());
    ASSERT_EQ(found, wanted) << name << ", " << bits << " bits";
    for (std::size_t i = 0; i < keys.size(); ++i)
      ASSERT_EQ(keys[static_cast<std::size_t>(values[i])], found[i]) << name;
    std::sort(values.begin(), values.end());
    for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(values[i], static_cast<double>(i));
  }
}

}  // namespace

}  // namespace gossamer
