// The columns of each row of a matrix as words of a bitmap: neighbouring columns share a word, so
// marking a row takes a step per word instead of one per nonzero.
#pragma once

#include "kernels/spgemm/accumulators/row_lists.hpp"

namespace gossamer {

struct bitmap_words {
  buffer<index_t> offsets;       // rows + 1
  buffer<std::uint32_t> places;  // index of the word: column / 64 (columns fit 2^38)
  buffer<std::uint64_t> bits;
  index_t bytes() const {
    return offsets.size() * index_t{sizeof(index_t)} +
           places.size() * index_t{sizeof(std::uint32_t) + sizeof(std::uint64_t)};
  }
};

namespace detail {

/// Calls f(word, bits) for the runs of a row's columns that share a word.
template <class Rows, class F>
void for_each_word(const Rows& rows, index_t row, F&& f) {
  std::uint64_t word = 0, bits = 0;
  const index_t end = rows.end(row);
  for (index_t q = rows.begin(row); q < end; ++q) {
    const auto column = static_cast<std::uint64_t>(rows.column(q));
    if (bits != 0 && column >> 6 != word) {
      f(word, bits);
      bits = 0;
    }
    word = column >> 6;
    bits |= std::uint64_t{1} << (column & 63);
  }
  if (bits != 0) f(word, bits);
}

}  // namespace detail

template <class Rows>
bitmap_words find_words(const Rows& b, index_t rows, const context& where) {
  const auto visit = [&](index_t row, auto&& f) { detail::for_each_word(b, row, f); };
  bitmap_words result;
  result.offsets = list_offsets(rows, where, visit);
  result.places = buffer<std::uint32_t>(result.offsets[rows], where.memory());
  result.bits = buffer<std::uint64_t>(result.offsets[rows], where.memory());
  write_lists(result.offsets, where, visit,
              [&](index_t at, std::uint64_t word, std::uint64_t bits) {
                result.places[at] = static_cast<std::uint32_t>(word);
                result.bits[at] = bits;
              });
  return result;
}

}  // namespace gossamer
