#include "base/hash_key.hpp"

#include <unistd.h>

namespace gossamer {

namespace {

__extension__ typedef unsigned __int128 wide;

/// Zeros where the kernel has none: then the key is the golden ratio.
std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  return getentropy(&bits, sizeof bits) == 0 ? bits : 0;
}

}  // namespace

std::uint64_t hash_key_of(std::uint64_t random) {
  // Convergents p / q of [0; 1, a2, a3, ...] until 64 bits tell no more.
  std::uint64_t p0 = 0, q0 = 1, p1 = 1, q1 = 1;
  while (q1 < std::uint64_t{1} << 33) {
    const std::uint64_t term = 1 + (random & 1);
    random = random >> 1 | random << 63;
    const std::uint64_t p2 = term * p1 + p0, q2 = term * q1 + q0;
    p0 = p1, q0 = q1, p1 = p2, q1 = q2;
  }
  return static_cast<std::uint64_t>((wide{p1} << 64) / q1) | 1;
}

const std::uint64_t hash_key = hash_key_of(random_bits());

}  // namespace gossamer
