// Radix sorts of one bin of tuples that fits in cache, by keys of `bits` used bits.
//
// sort_stable moves keys together with the place of their value (8 bytes for 4-byte keys), least
// digit first, so values are moved once, at the end, and equal keys keep their order.
// american_flag_sort (McIlroy, Bostic, McIlroy 1993) needs no second array: most significant byte
// first, each tuple swapped into its bucket. It keeps no order among equal keys.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/bits.hpp"
#include "base/insertion_sort.hpp"
#include "gossamer/types.hpp"

namespace gossamer {

/// A key and the position of its value. With 4-byte keys there are less than 2^32 of them.
template <class K>
struct keyed_place {
  K key, at;
};

/// Contiguous keys; their values are at `first`, first + 1, ... counted from the bin. `values` (may
/// be null) is only prefetched while keys are counted.
template <class K>
struct key_run {
  const K* keys = nullptr;
  index_t first = 0, count = 0;
  const char* values = nullptr;
  index_t value_bytes = 0;
};

/// The counters of a digit of 11 bits stay in L1, and 32-bit keys take three of them; 6 such digits
/// hold the 64 bits of the widest key.
inline constexpr int widest_digit = 11, most_digits = 6;

/// Digits of equal width, as few as `widest_digit` allows.
struct digits {
  int count = 0, width = 0;
  explicit digits(int bits)
      : count((bits + widest_digit - 1) / widest_digit),
        width(count > 0 ? (bits + count - 1) / count : 0) {}
};

template <class K>
using digit_counts = std::array<std::array<K, 1 << widest_digit>, most_digits>;

namespace detail {

template <int Count, class K, class Runs>
void count_digits(const Runs& runs, int width, digit_counts<K>& counts) {
  const K mask = (K{1} << width) - 1;
  for (int k = 0; k < Count; ++k)
    std::fill_n(counts[static_cast<std::size_t>(k)].data(), mask + 1, K{0});
  constexpr index_t block = 8;  // values of a block share a line or two
  const auto count = [&](K key) {
    for (int k = 0; k < Count; ++k, key >>= width)
      ++counts[static_cast<std::size_t>(k)][key & mask];
  };
  for (const auto& run : runs) {
    index_t i = 0;
    for (; i + block <= run.count; i += block) {
      __builtin_prefetch(run.values + i * run.value_bytes);
      for (index_t j = i; j < i + block; ++j) count(run.keys[j]);
    }
    for (; i < run.count; ++i) count(run.keys[i]);
  }
}

/// Calls f with the number of digits as a constant: counting is a third faster when it is known.
template <class F>
void with_digit_count(int count, F&& f) {
  switch (count) {
    case 0: return;
    case 1: return f.template operator()<1>();
    case 2: return f.template operator()<2>();
    case 3: return f.template operator()<3>();
    case 4: return f.template operator()<4>();
    case 5: return f.template operator()<5>();
    default: return f.template operator()<6>();
  }
}

}  // namespace detail

/// Returns the sorted list, in `a` or in `b`; both have room for all keys.
template <class K, class Runs>
keyed_place<K>* sort_stable(const Runs& runs, int bits, keyed_place<K>* a, keyed_place<K>* b,
                            digit_counts<K>& counts) {
  const digits d(bits);
  const K mask = (K{1} << d.width) - 1;
  detail::with_digit_count(
      d.count, [&]<int Count>() { detail::count_digits<Count>(runs, d.width, counts); });
  index_t total = 0;
  for (const auto& run : runs) total += run.count;
  bool listed = false;  // the first pass reads the runs, later ones the list
  for (int k = 0; k < d.count; ++k) {
    K* const next = counts[static_cast<std::size_t>(k)].data();
    const int shift = k * d.width;
    K sum = 0;
    bool one_bucket = false;
    for (K digit = 0; digit <= mask; ++digit) {
      one_bucket |= next[digit] == static_cast<K>(total);
      sum = static_cast<K>(sum + std::exchange(next[digit], sum));
    }
    if (one_bucket) continue;
    if (!std::exchange(listed, true)) {
      for (const auto& run : runs)
        for (index_t i = 0; i < run.count; ++i)
          b[next[(run.keys[i] >> shift) & mask]++] = {run.keys[i], static_cast<K>(run.first + i)};
    } else {
      for (index_t i = 0; i < total; ++i) b[next[(a[i].key >> shift) & mask]++] = a[i];
    }
    std::swap(a, b);
  }
  if (!listed) {
    index_t to = 0;
    for (const auto& run : runs)
      for (index_t i = 0; i < run.count; ++i)
        a[to++] = {run.keys[i], static_cast<K>(run.first + i)};
  }
  return a;
}

namespace detail {

template <class K, class T>
void flag_sort_byte(K* keys, T* values, index_t n, int shift) {
  if (n <= 32) return insertion_sort(keys, values, n);
  std::array<index_t, 256> next{}, end{};
  const auto byte = [shift](K key) { return static_cast<std::size_t>((key >> shift) & 0xFF); };
  for (index_t i = 0; i < n; ++i) ++end[byte(keys[i])];
  for (std::size_t d = 1; d < 256; ++d) {
    next[d] = end[d - 1];
    end[d] += end[d - 1];
  }
  for (std::size_t d = 0; d < 256; ++d)
    while (next[d] < end[d]) {
      K key = keys[next[d]];
      T value = values[next[d]];
      for (std::size_t home; (home = byte(key)) != d;) {
        const index_t at = next[home]++;
        std::swap(key, keys[at]);
        std::swap(value, values[at]);
      }
      keys[next[d]] = key;
      values[next[d]++] = value;
    }
  if (shift == 0) return;
  for (std::size_t d = 0; d < 256; ++d) {
    const index_t begin = d == 0 ? 0 : end[d - 1];
    flag_sort_byte(keys + begin, values + begin, end[d] - begin, shift - 8);
  }
}

}  // namespace detail

/// Sorts in place, byte by byte from the highest used one.
template <class K, class T>
void american_flag_sort(K* keys, T* values, index_t n, int bits) {
  detail::flag_sort_byte(keys, values, n, bits > 0 ? (bits - 1) / 8 * 8 : 0);
}

}  // namespace gossamer
