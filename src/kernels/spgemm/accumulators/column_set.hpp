// The distinct columns of one row of a sparse product, in memory of a fixed size. Usually there is
// a bit for every column, and one for every word of these. Where memory does not suffice for that,
// a row with few multiplications uses a hash table in the same memory, and one with many is
// traversed several times, one window of columns at a time or, where that takes too many windows,
// one share of the hashed columns at a time.
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
      in_windows(walk, f);
    }
  }

  /// Window by window. Columns far from each other may have a window each: after as many windows as
  /// there would be shares, the columns that are left are taken by shares.
  template <class Walk, class F>
  void in_windows(const Walk& walk, F&& f) {
    const index_t shares = walk.products() / (table_slots() / 4) + 1;
    index_t first = 0;
    for (index_t used = 0; used < shares && first < columns_; ++used)
      first = mark_window<true>(walk, first, f);
    if (first >= columns_) return;
    for (index_t share = 0; share < shares; ++share) insert_share(walk, {first, share, shares}, f);
  }

  /// The columns from `first` on whose hash is `share` modulo `shares`.
  struct hashed_share {
    index_t first, share, shares;
    index_t key = static_cast<index_t>(hash_key >> 1);  ///< shares are not to follow from slots
    bool has(index_t column) const {
      constexpr column_hash by{.key = 0xD1B54A32D192ED03u, .shift = 32};
      return column >= first && static_cast<index_t>(by(column ^ key)) % shares == share;
    }
  };

  index_t table_slots() const {
    return static_cast<index_t>(std::bit_floor(static_cast<std::uint64_t>(words_.size())));
  }

  /// A quarter of the table is expected to be used; a share that needs more than three is divided.
  template <class Walk, class F>
  void insert_share(const Walk& walk, hashed_share wanted, F&& f) {
    const auto slots = static_cast<std::uint64_t>(table_slots());
    const std::uint64_t most = slots / 4 * 3;
    const column_hash hash = column_hash::of(slots);
    std::uint64_t inserted = 0;
    walk.columns([&](index_t column) {
      if (inserted > most || !wanted.has(column)) return;
      const auto key = static_cast<std::uint64_t>(column) + 1;
      auto slot = hash(column);
      for (; words_[static_cast<index_t>(slot)] != 0; slot = (slot + 1) & (slots - 1))
        if (words_[static_cast<index_t>(slot)] == key) return;
      words_[static_cast<index_t>(slot)] = key;
      ++inserted;
    });
    if (inserted <= most) {
      for (std::uint64_t slot = 0; slot < slots; ++slot)
        if (const auto key = std::exchange(words_[static_cast<index_t>(slot)], 0); key != 0)
          f(static_cast<index_t>(key - 1), std::uint64_t{1});
      return;
    }
    std::memset(words_.data(), 0, slots * 8);
    insert_share(walk, {wanted.first, wanted.share, 2 * wanted.shares}, f);
    insert_share(walk, {wanted.first, wanted.share + wanted.shares, 2 * wanted.shares}, f);
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
    const column_hash hash = column_hash::of(slots);
    walk.columns([&](index_t column) {
      const auto key = static_cast<std::uint64_t>(column) + 1;
      auto slot = hash(column);
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
