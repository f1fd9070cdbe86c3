// The distinct columns of one row of a sparse product, in memory of a fixed size. As a rule there
// is a bit for every column. Where memory does not allow that, a row with few products goes to a
// hash table in the same place, and one with many is walked several times, a window of columns
// after the other.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "kernels/shared/column_slots.hpp"
#include "kernels/shared/row_access.hpp"

namespace gossamer {

class column_set {
 public:
  /// Bytes that serve any row, and bytes beyond which nothing is gained.
  static index_t least_bytes(index_t columns) {
    return std::min<index_t>(most_bytes(columns), 1 << 15);
  }
  static index_t most_bytes(index_t columns) {
    return std::max<index_t>((columns + 63) / 64, 1) * 8;
  }

  column_set(index_t columns, index_t bytes, const std::shared_ptr<memory_resource>& source)
      : columns_(columns), words_(bytes / 8, source) {
    std::memset(words_.data(), 0, static_cast<std::size_t>(words_.size()) * 8);
  }

  /// first_seen(column) once for each column of a row of C, in any order. `entries` is what A has.
  template <class RowsA, class RowsB, class F>
  void for_each(const RowsA& a, const RowsB& b, index_t row, index_t entries, F&& first_seen) {
    const row_walk<RowsA, RowsB> walk{a, b, row, entries};
    const index_t window = words_.size() * 64;
    const auto slots = std::bit_floor(static_cast<std::uint64_t>(words_.size()));
    if (columns_ <= window) {
      mark_window<false>(walk, 0, first_seen);
    } else if (const index_t products = walk.products();
               2 * static_cast<std::uint64_t>(products) <= slots) {
      insert_all(walk, products, first_seen);
    } else {
      for (index_t first = 0; first < columns_;) first = mark_window<true>(walk, first, first_seen);
    }
  }

 private:
  template <class RowsA, class RowsB>
  struct row_walk {
    const RowsA& a;
    const RowsB& b;
    index_t row, entries;
    template <class F>
    void columns(F&& f) const {
      for_each_fetched(a, b, row, entries, [&](index_t k) {
        const index_t end = b.end(a.column(k));
        for (index_t q = b.begin(a.column(k)); q < end; ++q) f(b.column(q));
      });
    }
    index_t products() const {
      index_t sum = 0;
      for (index_t k = a.begin(row); k < a.end(row); ++k)
        sum += b.end(a.column(k)) - b.begin(a.column(k));
      return sum;
    }
  };

  /// Columns from `first` on, as many as there are bits. Returns where the next column begins.
  template <bool Windowed, class Walk, class F>
  index_t mark_window(const Walk& walk, index_t first, F&& first_seen) {
    const auto window = static_cast<std::uint64_t>(words_.size()) * 64;
    const auto place_of = [&](index_t column) {
      return static_cast<std::uint64_t>(column - first);
    };
    std::uint64_t* const words = words_.data();
    index_t next = columns_, steps = 0;
    walk.columns([&](index_t column) {
      const auto place = place_of(column);
      if (Windowed && place >= window) {
        if (column >= first) next = std::min(next, column);
        return;
      }
      ++steps;
      const std::uint64_t bit = std::uint64_t{1} << (place & 63);
      if ((words[place >> 6] & bit) != 0) return;
      words[place >> 6] |= bit;
      first_seen(column);
    });
    // Whichever clears less: all words, or those that were touched.
    if (steps >= words_.size() / 4)
      std::memset(words, 0, static_cast<std::size_t>(words_.size()) * 8);
    else
      walk.columns([&](index_t column) {
        const auto place = place_of(column);
        if (!Windowed || place < window) words[place >> 6] = 0;
      });
    return Windowed ? next : columns_;
  }

  /// Into a table that stays at most half full. Columns are kept plus one: zero is free.
  template <class Walk, class F>
  void insert_all(const Walk& walk, index_t products, F&& first_seen) {
    const auto slots =
        std::bit_ceil(2 * static_cast<std::uint64_t>(std::max<index_t>(products, 1)));
    walk.columns([&](index_t column) {
      const auto key = static_cast<std::uint64_t>(column) + 1;
      auto slot = spread(column) & (slots - 1);
      for (; words_[static_cast<index_t>(slot)] != 0; slot = (slot + 1) & (slots - 1))
        if (words_[static_cast<index_t>(slot)] == key) return;
      words_[static_cast<index_t>(slot)] = key;
      first_seen(column);
    });
    std::memset(words_.data(), 0, slots * 8);
  }

  index_t columns_;
  buffer<std::uint64_t> words_;
};

}  // namespace gossamer
