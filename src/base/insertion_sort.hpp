// Insertion sort of keys with their values, for short lists.
#pragma once

#include "gossamer/types.hpp"

namespace gossamer {

/// Sorts keys[0 .. n) ascending, and their values with them; equal keys keep their order. O(n²).
template <class K, class T>
void insertion_sort(K* keys, T* values, index_t n) {
  for (index_t i = 1; i < n; ++i) {
    const K key = keys[i];
    const T value = values[i];
    index_t at = i;
    for (; at > 0 && keys[at - 1] > key; --at) {
      keys[at] = keys[at - 1];
      values[at] = values[at - 1];
    }
    keys[at] = key;
    values[at] = value;
  }
}

}  // namespace gossamer
