// The distinct columns of one row of a sparse product, in memory of a fixed size. Usually there is
// a bit for every column, and one for every word of these. Where memory does not suffice for that,
// a row with few multiplications uses a hash table in the same memory, and one with many is
// traversed several times, one window of columns at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "kernels/spgemm/accumulators/column_slots.hpp"
#include "kernels/spgemm/operands/row_access.hpp"

namespace gossamer {

class column_set {
 public:
  /// The smallest size that works for any row, and the size beyond which nothing is gained.
  static index_t least_bytes(index_t columns) {
    return std::min<index_t>(most_bytes(columns), 1 << 15);
  }
  static index_t most_bytes(index_t columns) {
    const index_t words = std::max<index_t>((columns + 63) / 64, 1);
    return (words + (words + 63) / 64) * 8;
  }

  column_set(index_t columns, index_t bytes, const std::shared_ptr<memory_resource>& source)
      : columns_(columns),
        words_(bytes / 8, source),
        window_words_(words_.size() - (words_.size() + 64) / 65) {
    std::memset(words_.data(), 0, static_cast<std::size_t>(words_.size()) * 8);
  }

  /// Number of columns of a row of C. `entries` is nnz(A).
  template <class RowsA, class RowsB>
  index_t count(const RowsA& a, const RowsB& b, index_t row, index_t entries) {
    index_t found = 0;
    for_each_word(a, b, row, entries, [&](index_t, std::uint64_t bits) { found += ones(bits); });
    return found;
  }
  /// Calls f(column) once for each column of a row of C, in order unless a table was used.
  template <class RowsA, class RowsB, class F>
  void for_each(const RowsA& a, const RowsB& b, index_t row, index_t entries, F&& f) {
    for_each_word(a, b, row, entries, [&](index_t first, std::uint64_t bits) {
      for (; bits != 0; bits &= bits - 1) f(first + __builtin_ctzll(bits));
    });
  }

 private:
  /// Calls f(column of the first bit, bits): columns as words of a bitmap, each column once.
  template <class RowsA, class RowsB, class F>
  void for_each_word(const RowsA& a, const RowsB& b, index_t row, index_t entries, F&& f) {
    const row_walk<RowsA, RowsB> walk{a, b, row, entries};
    const bool one_window = columns_ <= window_words_ * 64;
    // A table costs clearing its slots; a bitmap costs scanning its upper level.
    const index_t groups = words_.size() - window_words_;
    const auto slots = static_cast<std::uint64_t>(one_window ? groups : words_.size());
    if (const index_t products = slots > 16 ? walk.products() : 0;
        slots > 16 && 2 * static_cast<std::uint64_t>(products) <= std::bit_floor(slots)) {
      insert_all(walk, products, f);
    } else if (one_window) {
      mark_window<false>(walk, 0, f);
    } else {
      for (index_t first = 0; first < columns_;) first = mark_window<true>(walk, first, f);
    }
  }

  template <class RowsA, class RowsB>
  struct row_walk {
    const RowsA& a;
    const RowsB& b;
    index_t row, entries;
    template <class F>
    void columns(F&& f) const {
      const index_t last = a.end(row);
      for (index_t k = a.begin(row); k < last; ++k) {
        prefetch_rows(a, b, k, entries);
        const index_t end = b.end(a.column(k));
        for (index_t q = b.begin(a.column(k)); q < end; ++q) f(b.column(q));
      }
    }
    index_t products() const {
      index_t sum = 0;
      for (index_t k = a.begin(row); k < a.end(row); ++k)
        sum += b.end(a.column(k)) - b.begin(a.column(k));
      return sum;
    }
  };

  /// Visits columns from `first` on, as many as there are bits. Returns where the next column
  /// begins.
  template <bool Windowed, class Walk, class F>
  index_t mark_window(const Walk& walk, index_t first, F&& f) {
    const auto window = static_cast<std::uint64_t>(window_words_) * 64;
    std::uint64_t* const words = words_.data();
    std::uint64_t* const groups = words + window_words_;
    std::uint64_t word = 0, bits = 0;
    const auto flush = [&] {
      words[word] |= bits;
      groups[word >> 6] |= std::uint64_t{1} << (word & 63);
    };
    index_t next = columns_;
    walk.columns([&](index_t column) {
      const auto place = static_cast<std::uint64_t>(column - first);
      if (Windowed && place >= window) {
        if (column >= first) next = std::min(next, column);
        return;
      }
      if (place >> 6 != word) {  // bits of one word are collected: neighbours cost one write
        flush();
        word = place >> 6;
        bits = 0;
      }
      bits |= std::uint64_t{1} << (place & 63);
    });
    flush();
    for (index_t group = 0; group < words_.size() - window_words_; ++group)
      for (std::uint64_t left = std::exchange(groups[group], 0); left != 0; left &= left - 1) {
        const index_t at = group * 64 + __builtin_ctzll(left);
        f(first + at * 64, std::exchange(words[at], 0));
      }
    return Windowed ? next : columns_;
  }

  /// Collects columns in a table that stays at most half full. Columns are stored plus one: zero is
  /// a free slot.
  template <class Walk, class F>
  void insert_all(const Walk& walk, index_t products, F&& f) {
    const auto slots =
        std::bit_ceil(2 * static_cast<std::uint64_t>(std::max<index_t>(products, 1)));
    walk.columns([&](index_t column) {
      const auto key = static_cast<std::uint64_t>(column) + 1;
      auto slot = spread(column) & (slots - 1);
      for (; words_[static_cast<index_t>(slot)] != 0; slot = (slot + 1) & (slots - 1))
        if (words_[static_cast<index_t>(slot)] == key) return;
      words_[static_cast<index_t>(slot)] = key;
      f(column, std::uint64_t{1});
    });
    std::memset(words_.data(), 0, slots * 8);
  }

  /// Population count: plain x86-64 lacks the instruction, and this is faster than a call.
  static index_t ones(std::uint64_t x) {
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return static_cast<index_t>(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
  }

  index_t columns_;
  buffer<std::uint64_t> words_;  // a bit for each column, then a bit for each such word
  index_t window_words_;
};

}  // namespace gossamer
