// Hashing of columns with a key of this process.
#pragma once

#include <bit>
#include <cstdint>

namespace gossamer {

/// A factor above 2^63 that differs from process to process, so that nobody can choose
/// the columns of a matrix such that they share slots. Results do not depend on it: tables are
/// emptied in the order of columns, and sums are added in the order of multiplications.
extern const std::uint64_t hash_key;

/// A key for some random bits. Divided by 2^64 it is a number whose continued fraction has ones and
/// twos only, as that of the golden ratio has ones only: multiples of such numbers are spread
/// evenly (Knuth, vol. 3, 6.4), so that contiguous columns rarely collide under any key.
std::uint64_t hash_key_of(std::uint64_t random);

/// Where the columns of a table of `slots` slots, a power of two above 1, begin their search: the
/// upper bits of column times key. Linear in the column, so that rows of a stencil, which are
/// shifted copies of each other, collide alike and branches stay predictable.
struct column_hash {
  std::uint64_t key = hash_key;
  int shift = 63;
  static column_hash of(std::uint64_t slots) { return {hash_key, 64 - std::countr_zero(slots)}; }
  template <class I>
  std::uint64_t operator()(I column) const {
    return static_cast<std::uint64_t>(column) * key >> shift;
  }
};

}  // namespace gossamer
