// Reading memory as fast as a processor can, for the bandwidths of its caches.
#pragma once

#include <cstdint>

#include "gossamer/types.hpp"
#include "kernels/simd/select.hpp"

namespace gossamer::bench {

/// Bytes are read in multiples of this.
inline constexpr index_t cache_read_step = 512;

/// The sum of the numbers in `bytes` bytes; `from` is aligned to 64 bytes.
using cache_reader = std::uint64_t (*)(const char* from, index_t bytes);

variants<cache_reader> cache_readers();

namespace detail {

// Integers, because their sum may be reordered; as wide as the widest registers. Eight sums, each a
// variable of its own: GCC keeps an array of them in memory.
using widest [[gnu::vector_size(64), gnu::may_alias]] = std::uint64_t;

/// Always inlined: the caller's target says which instructions it becomes.
[[gnu::always_inline]] inline std::uint64_t sum_of(const char* from, index_t bytes) {
  const auto* at = reinterpret_cast<const widest*>(from);
  const auto* end = reinterpret_cast<const widest*>(from + bytes);
  widest a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
  for (; at < end; at += 8) {
    a += at[0], b += at[1], c += at[2], d += at[3];
    e += at[4], f += at[5], g += at[6], h += at[7];
  }
  const widest sums = a + b + c + d + e + f + g + h;
  std::uint64_t sum = 0;
  for (int i = 0; i < 8; ++i) sum += sums[i];
  return sum;
}

inline std::uint64_t read_portable(const char* from, index_t bytes) { return sum_of(from, bytes); }

}  // namespace detail

}  // namespace gossamer::bench
