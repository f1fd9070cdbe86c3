// The columns of a result row as a table has collected them, each with the slot of its sum, and how
// they are sorted: sorting the pairs saves a second search of the table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
#include <utility>

#include "base/hash_key.hpp"
#include "gossamer/types.hpp"

namespace gossamer {

template <class I>
struct column_slot {
  I column;
  std::make_unsigned_t<I> slot;
};

namespace detail {

/// Shorter lists are sorted by comparisons: a radix sort has a fixed cost per list. Not
/// measured; a digit of 8 bits has 256 counters, 2 KB of L1.
inline constexpr index_t radix_from = 64;
inline constexpr unsigned radix_digit = 8;

/// One stable radix pass over `bits` bits of the columns, from bit `shift` on.
template <class I>
void radix_pass(const column_slot<I>* from, column_slot<I>* to, index_t count, unsigned shift,
                unsigned bits) {
  using word = std::make_unsigned_t<I>;
  const word mask = static_cast<word>((word{1} << bits) - 1);
  const auto digit = [&](const column_slot<I>& s) {
    return static_cast<word>(static_cast<word>(s.column) >> shift) & mask;
  };
  std::array<index_t, std::size_t{1} << radix_digit> place;
  std::fill_n(place.begin(), std::size_t{1} << bits, 0);
  for (index_t k = 0; k < count; ++k) ++place[digit(from[k])];
  index_t sum = 0;
  for (std::size_t d = 0; d <= mask; ++d) sum += std::exchange(place[d], sum);
  for (index_t k = 0; k < count; ++k) to[place[digit(from[k])]++] = from[k];
}

}  // namespace detail

/// Sorts by column; returns the sorted list, which is in `list` or in `scratch` (of the same size).
/// Long lists use a least-significant-digit radix sort over the bits in which their columns differ.
template <class I>
const column_slot<I>* sort_by_column(column_slot<I>* list, column_slot<I>* scratch, index_t count) {
  if (count < detail::radix_from) {
    std::sort(list, list + count, [](auto& a, auto& b) { return a.column < b.column; });
    return list;
  }
  std::make_unsigned_t<I> differing = 0;
  for (index_t k = 1; k < count; ++k)
    differing |= static_cast<std::make_unsigned_t<I>>(list[k].column ^ list[0].column);
  const auto bits = static_cast<unsigned>(std::bit_width(differing));
  const unsigned passes = (bits + detail::radix_digit - 1) / detail::radix_digit;
  const unsigned digit = (bits + passes - 1) / std::max(passes, 1u);
  for (unsigned shift = 0; shift < bits; shift += digit) {
    detail::radix_pass(list, scratch, count, shift, std::min(digit, bits - shift));
    std::swap(list, scratch);
  }
  return list;
}

// Instantiated once, in column_slots.cpp: inside larger functions it is inlined less, and the
// linker keeps whichever copy comes first.
extern template const column_slot<std::int32_t>* sort_by_column(column_slot<std::int32_t>*,
                                                                column_slot<std::int32_t>*,
                                                                index_t);
extern template const column_slot<std::int64_t>* sort_by_column(column_slot<std::int64_t>*,
                                                                column_slot<std::int64_t>*,
                                                                index_t);

}  // namespace gossamer
