// Finishes one bin of a product by propagation blocking in cache: sort, compress, count the
// nonzeros of each row.
#pragma once

#include <chrono>

#include "kernels/spgemm/pb/pb_expand.hpp"

namespace gossamer {

using pb_clock = std::chrono::steady_clock;
inline double seconds_since(pb_clock::time_point start) {
  return std::chrono::duration<double>(pb_clock::now() - start).count();
}

/// Scratch memory of one thread.
template <class K, class T>
struct bin_scratch {
  std::shared_ptr<memory_resource> memory;
  buffer<keyed_place<K>> one = {}, other = {};
  std::unique_ptr<digit_counts<K>> counts = std::make_unique<digit_counts<K>>();
  std::vector<key_run<K>> runs = {};
  bool many_equal = false;
  double sort_seconds = 0, compress_seconds = 0;
};

/// Compresses sorted keys with the positions of their values to distinct keys with sums: keys in
/// place, sums through `sums` because values are read in any order.
template <class K, class T>
index_t sum_equal(const keyed_place<K>* list, index_t n, K* keys, T* values, T* sums) {
  if (n == 0) return 0;
  index_t last = 0;
  K key = keys[0] = list[0].key;
  sums[0] = values[list[0].at];
  for (index_t i = 1; i < n; ++i) {
    const T value = values[list[i].at];
    if (list[i].key == key) {
      sums[last] += value;
    } else {
      key = keys[++last] = list[i].key;
      sums[last] = value;
    }
  }
  std::copy_n(sums, last + 1, values);
  return last + 1;
}

/// Bitwise the same without branches, for keys with many unpredictable repeats. Sums start at -0,
/// which leaves any first value unchanged.
template <class K, class T>
index_t sum_many_equal(const keyed_place<K>* list, index_t n, K* keys, T* values, T* sums) {
  if (n == 0) return 0;
  std::fill_n(sums, n, T{-0.0});
  index_t last = 0;
  K key = list[0].key;
  for (index_t i = 0; i < n; ++i) {
    last += list[i].key != key;
    key = list[i].key;
    keys[last] = key;
    sums[last] += values[list[i].at];
  }
  std::copy_n(sums, last + 1, values);
  return last + 1;
}

/// Compresses with two pointers, keys and values already sorted.
template <class K, class T>
index_t sum_equal_in_place(K* keys, T* values, index_t n) {
  index_t last = 0;
  for (index_t i = 1; i < n; ++i) {
    if (keys[i] == keys[last]) {
      values[last] += values[i];
    } else {
      keys[++last] = keys[i];
      values[last] = values[i];
    }
  }
  return n > 0 ? last + 1 : 0;
}

template <class K, class T>
index_t finish_bin(pb_tuples<K, T>& t, index_t bin, int bits, bool flag, bin_scratch<K, T>& s) {
  const auto first_run = static_cast<std::size_t>(bin * t.shares);
  const index_t begin = t.starts[first_run];
  K* const keys = t.keys.data() + begin;
  T* const values = t.values.data() + begin;
  index_t n = 0;
  const auto start = pb_clock::now();
  s.runs.clear();
  for (std::size_t run = first_run; run < first_run + static_cast<std::size_t>(t.shares); ++run) {
    const index_t at = t.starts[run] - begin, count = t.counts[run];
    if (flag) {  // the gaps between runs are closed first
      std::copy(keys + at, keys + at + count, keys + n);
      std::copy(values + at, values + at + count, values + n);
    }
    if (count > 0)
      s.runs.push_back(
          {keys + at, at, count, reinterpret_cast<const char*>(values + at), index_t{sizeof(T)}});
    n += count;
  }
  if (flag) {
    american_flag_sort(keys, values, n, bits);
    s.sort_seconds += seconds_since(start);
    return sum_equal_in_place(keys, values, n);
  }
  if (s.one.size() < n) {
    s.one = {}, s.other = {};  // frees the old list before the new one is allocated
    s.one = buffer<keyed_place<K>>(n, s.memory);
    s.other = buffer<keyed_place<K>>(n, s.memory);
  }
  auto* const sorted = sort_stable<K>(s.runs, bits, s.one.data(), s.other.data(), *s.counts);
  const auto middle = pb_clock::now();
  s.sort_seconds += std::chrono::duration<double>(middle - start).count();
  void* const idle = sorted == s.one.data() ? s.other.data() : s.one.data();
  auto* const sums = static_cast<T*>(idle);
  const index_t left = s.many_equal ? sum_many_equal(sorted, n, keys, values, sums)
                                    : sum_equal(sorted, n, keys, values, sums);
  s.many_equal = left < n - n / 8;  // the next bin is likely similar
  s.compress_seconds += seconds_since(middle);
  return left;
}

template <class K>
void count_rows(const K* keys, index_t n, range rows, int column_bits, index_t* counts) {
  index_t i = 0;
  for (index_t row = rows.begin; row < rows.end; ++row) {
    const index_t first = i;
    const K local = static_cast<K>(row - rows.begin);
    while (i < n && keys[i] >> column_bits == local) ++i;
    counts[row] = i - first;
  }
}

}  // namespace gossamer
