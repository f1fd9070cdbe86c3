// Bitonic sorting networks (Batcher 1968) in vectors of Width keys, written once for every width:
// two sorted halves, one of them read backwards, are a bitonic sequence, and halving that by
// smaller and larger until single lanes are left puts it in order. Inside a vector, lane i always
// meets lane i ^ X for some X; with X = 2^k - 1 these are the mirrored lanes of blocks of 2^k.
//
// Everything is always inlined: it becomes part of a function that names its instructions. Vectors
// are passed by reference, since how they are passed by value depends on these.
#pragma once

#include <algorithm>
#include <utility>

#include "kernels/spgemm/adaptive/key_sort.hpp"

namespace gossamer::detail {

template <int Width>
struct key_network {
  typedef std::uint32_t keys __attribute__((vector_size(Width * sizeof(std::uint32_t))));
  using lanes = std::make_integer_sequence<int, Width>;

  template <int X, int... I>
  [[gnu::always_inline]] static inline void meet(keys& v, std::integer_sequence<int, I...>) {
    const keys other = __builtin_shufflevector(v, v, (I ^ X)...);
    const keys low = v < other ? v : other, high = v < other ? other : v;
    v = __builtin_shufflevector(low, high, (I < (I ^ X) ? I : I + Width)...);
  }
  template <int... I>
  [[gnu::always_inline]] static inline void reverse(keys& v, std::integer_sequence<int, I...>) {
    v = __builtin_shufflevector(v, v, (Width - 1 - I)...);
  }
  /// Bitonic blocks of 2 * Step lanes are put in order.
  template <int Step>
  [[gnu::always_inline]] static inline void clean_lanes(keys& v) {
    if constexpr (Step > 0) {
      meet<Step>(v, lanes{});
      clean_lanes<Step / 2>(v);
    }
  }
  template <int Block = Width>
  [[gnu::always_inline]] static inline void sort_lanes(keys& v) {
    if constexpr (Block > 1) {
      sort_lanes<Block / 2>(v);
      meet<Block - 1>(v, lanes{});
      clean_lanes<Block / 4>(v);
    }
  }

  [[gnu::always_inline]] static inline void meet(keys& a, keys& b) {
    const keys low = a < b ? a : b;
    b = a < b ? b : a;
    a = low;
  }
  /// A bitonic sequence of Vectors vectors is put in order.
  template <int Vectors>
  [[gnu::always_inline]] static inline void clean(keys* v) {
    if constexpr (Vectors == 1) {
      clean_lanes<Width / 2>(*v);
    } else {
      for (int i = 0; i < Vectors / 2; ++i) meet(v[i], v[i + Vectors / 2]);
      clean<Vectors / 2>(v);
      clean<Vectors / 2>(v + Vectors / 2);
    }
  }
  template <int Vectors>
  [[gnu::always_inline]] static inline void sort(keys* v) {
    if constexpr (Vectors == 1) {
      sort_lanes(*v);
    } else {
      constexpr int half = Vectors / 2;
      sort<half>(v);
      sort<half>(v + half);
      // Turning the second half around makes the whole bitonic.
      for (int i = half; i < Vectors; ++i) reverse(v[i], lanes{});
      for (int i = 0; i < half / 2; ++i) {
        const keys first = v[half + i];
        v[half + i] = v[Vectors - 1 - i];
        v[Vectors - 1 - i] = first;
      }
      clean<Vectors>(v);
    }
  }

  /// Keys behind `count` become the largest number, up to what the network takes.
  template <int Keys>
  [[gnu::always_inline]] static inline void sort_keys(std::uint32_t* numbers, index_t count) {
    constexpr int vectors = Keys / Width;
    for (index_t k = count; k < Keys; k += Width)
      __builtin_memset(numbers + k, 0xFF, sizeof(keys));  // may write a vector beyond
    keys v[vectors];
    for (int i = 0; i < vectors; ++i) v[i] = reinterpret_cast<const keys*>(numbers)[i];
    sort<vectors>(v);
    for (int i = 0; i < vectors; ++i) reinterpret_cast<keys*>(numbers)[i] = v[i];
  }
  /// By the smallest network of 16, 32, ... 256 keys that takes them.
  template <int Keys = 16>
  [[gnu::always_inline]] static inline void sort_any(std::uint32_t* numbers, index_t count) {
    if constexpr (Keys < most_keys) {
      if (count > Keys) return sort_any<2 * Keys>(numbers, count);
    }
    sort_keys<Keys>(numbers, count);
  }
};

/// No vectors, for every machine.
inline void sort_portably(std::uint32_t* keys, index_t count) {
  count > 64 ? std::sort(keys, keys + count) : sort_by_insertion(keys, count);
}

}  // namespace gossamer::detail
