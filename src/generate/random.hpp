// Random numbers without state: draw i of a stream is a function of (seed, stream, i), so any
// thread can compute any draw and the result does not depend on the order of work.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include "gossamer/types.hpp"

namespace gossamer::generate {

/// SplitMix64's finaliser: a bijection of 64 bits in which every input bit reaches every output
/// bit.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// The part of a matrix a stream decides. Patterns and values have streams of their own, so float
/// and double matrices of one seed have one pattern.
enum class purpose : std::uint64_t {
  pattern = 1,
  values,
  row_order,
  dense_rows,
  vector,
  mesh_labels,
  mesh_jitter,
  mesh_numbers
};

class random_stream {
 public:
  constexpr random_stream(std::uint64_t seed, purpose what)
      : key_(mix(mix(seed + step) ^ (static_cast<std::uint64_t>(what) * step))) {}

  /// An independent stream for item `i`: a row, an edge, a node.
  constexpr random_stream of(std::uint64_t i) const { return random_stream(mix(bits(i) ^ key_)); }

  /// Draw i: SplitMix64 started at this stream's key.
  constexpr std::uint64_t bits(std::uint64_t i) const { return mix(key_ + (i + 1) * step); }

  /// Uniform in [0, n), n > 0; the bias is below n / 2^64.
  constexpr index_t below(std::uint64_t i, index_t n) const {
    __extension__ using wide = unsigned __int128;
    return static_cast<index_t>((wide{bits(i)} * static_cast<std::uint64_t>(n)) >> 64);
  }

  /// Uniform in (0, 1]: never zero, so sums and products of such nonzeros never cancel.
  template <real_scalar T>
  constexpr T positive(std::uint64_t i) const {
    constexpr int digits = std::numeric_limits<T>::digits;
    constexpr T unit = T{1} / static_cast<T>(std::uint64_t{1} << digits);
    return static_cast<T>((bits(i) >> (64 - digits)) + 1) * unit;
  }

  /// Uniform in [-1, 1).
  template <real_scalar T>
  constexpr T centred(std::uint64_t i) const {
    constexpr int digits = std::numeric_limits<T>::digits;
    constexpr T unit = T{1} / static_cast<T>(std::uint64_t{1} << digits);
    const auto drawn = static_cast<std::int64_t>(bits(i)) >> (63 - digits);
    return static_cast<T>(drawn) * unit;
  }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
  explicit constexpr random_stream(std::uint64_t key) : key_(key) {}
  std::uint64_t key_;
};

/// A random permutation of [0, n) without an array: four Feistel rounds on the next even power of
/// two, repeated until the result is below n (fewer than four times on average).
class permutation {
 public:
  permutation(index_t n, random_stream keys)
      : keys_(keys),
        n_(static_cast<std::uint64_t>(n)),
        half_((static_cast<int>(std::bit_width(n_ > 1 ? n_ - 1 : std::uint64_t{1})) + 1) / 2) {}

  index_t operator()(index_t i) const {
    auto x = static_cast<std::uint64_t>(i);
    do x = shuffle(x);
    while (x >= n_);
    return static_cast<index_t>(x);
  }

  /// The i for which (*this)(i) is `image`.
  index_t inverse(index_t image) const {
    auto x = static_cast<std::uint64_t>(image);
    do x = unshuffle(x);
    while (x >= n_);
    return static_cast<index_t>(x);
  }

 private:
  std::uint64_t unshuffle(std::uint64_t x) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
    std::uint64_t left = x >> half_, right = x & mask;
    for (std::uint64_t round = 4; round-- > 0;) {
      const std::uint64_t previous = right ^ (keys_.bits((round << 32) + left) & mask);
      right = left;
      left = previous;
    }
    return (left << half_) | right;
  }
  std::uint64_t shuffle(std::uint64_t x) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
    std::uint64_t left = x >> half_, right = x & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (keys_.bits((round << 32) + right) & mask);
      left = right;
      right = next;
    }
    return (left << half_) | right;
  }

  random_stream keys_;
  std::uint64_t n_;
  int half_;
};

}  // namespace gossamer::generate
