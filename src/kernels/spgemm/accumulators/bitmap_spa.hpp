// A dense accumulator (SPA) for one row of a sparse product: a value per column, and a bitmap of
// three levels that marks the columns in use. Walking the set bits gives the columns in order, and
// only touched values are cleared, so a row costs O(multiplications + nonzeros), independent of the
// width of the matrix.
#pragma once

#include <cstring>

#include "analysis/saturate.hpp"
#include "kernels/spgemm/accumulators/bitmap_words.hpp"
#include "kernels/spgemm/accumulators/column_runs.hpp"
#include "kernels/spgemm/accumulators/mask_gate.hpp"
#include "kernels/spgemm/accumulators/semiring.hpp"

namespace gossamer {

template <class I, class T, class Semiring = semirings::plus_times<T>>
class bitmap_spa {
 public:
  bitmap_spa(index_t columns, const std::shared_ptr<memory_resource>& source)
      : columns_(columns),
        sums_(columns + beyond_a_run, source),
        words_(words_for(columns), source),
        groups_(words_for(words_.size()), source),
        tops_(words_for(groups_.size()), source) {
    if constexpr (Semiring::identity() == T{0})
      clear(sums_);
    else
      std::fill_n(sums_.data(), sums_.size(), Semiring::identity());
    clear(words_), clear(groups_), clear(tops_);
  }
  /// Saturates: C may have more columns than there is memory for any number of bytes each.
  static index_t bytes_for(index_t columns) {
    using analysis::amount;
    const index_t words = words_for(columns), groups = words_for(words);
    return ((amount{columns} + amount{beyond_a_run}) * amount{sizeof(T)} +
            amount{words + groups + words_for(groups)} * amount{sizeof(std::uint64_t)})
        .value;
  }

  index_t columns() const { return columns_; }

  /// Adds `factor` times a row of B, for the columns that the gate admits. Sums start at the
  /// identity and are added in the order of the calls.
  template <class Rows, class Gate = open_gate>
  void add(const Rows& b, index_t row, T factor, const Gate& gate = {}) {
    const index_t end = b.end(row);
    word_writer bits{this};
    for (index_t q = b.begin(row); q < end; ++q) {
      const auto column = static_cast<std::uint64_t>(b.column(q));
      if (!gate.admits(static_cast<index_t>(column))) continue;
      const T product = Semiring::multiply(factor, b.value(q));
      Semiring::add(sums_[static_cast<index_t>(column)], product);
      bits.set(column);
    }
    bits.flush();
  }
  void add_one(index_t column, T product) {
    Semiring::add(sums_[column], product);
    set_bits(static_cast<std::uint64_t>(column) >> 6, bit(static_cast<std::uint64_t>(column)));
  }
  /// Marks the columns of a row of B, without sums.
  template <class Rows, class Gate = open_gate>
  void mark(const Rows& b, index_t row, const Gate& gate = {}) {
    const index_t end = b.end(row);
    word_writer bits{this};
    for (index_t q = b.begin(row); q < end; ++q)
      if (gate.admits(b.column(q))) bits.set(static_cast<std::uint64_t>(b.column(q)));
    bits.flush();
  }
  /// Marks the columns of a row of B from precomputed bitmap words.
  void mark(const bitmap_words& words, index_t row) {
    const index_t end = words.offsets[row + 1];
    for (index_t q = words.offsets[row]; q < end; ++q) set_bits(words.places[q], words.bits[q]);
  }
  /// As add, for a row whose columns are known: they are read with take_known.
  template <class Rows>
  void add_known(const Rows& b, index_t row, T factor) {
    const index_t end = b.end(row);
    for (index_t q = b.begin(row); q < end; ++q)
      Semiring::add(sums_[b.column(q)], Semiring::multiply(factor, b.value(q)));
  }
  /// As add_known, for a row of B stored as runs; for plus_times only.
  template <class Rows>
  void add_known(const Rows& b, const column_runs& runs, run_adder<T> add_runs, index_t row,
                 T factor) {
    const index_t first = runs.offsets[row];
    add_runs(runs.runs.data() + first, runs.offsets[row + 1] - first, b.values + b.begin(row),
             b.values + b.entries(), factor, sums_.data());
  }

  /// Writes the row, columns ascending, sums times alpha, and empties the accumulator. Returns the
  /// number of nonzeros.
  template <class J>
  index_t take(J* columns, T* values, T alpha) {
    index_t at = 0;
    walk([&](index_t column) {
      columns[at] = static_cast<J>(column);
      values[at++] = scaled_value(alpha, std::exchange(sums_[column], Semiring::identity()));
    });
    return at;
  }
  template <class J>
  void take_columns(J* columns) {
    walk([&](index_t column) { *columns++ = static_cast<J>(column); });
  }
  template <class J>
  void take_known(const J* columns, index_t count, T* values, T alpha) {
    for (index_t k = 0; k < count; ++k)
      values[k] =
          alpha * std::exchange(sums_[static_cast<index_t>(columns[k])], Semiring::identity());
  }
  /// Empties the accumulator and returns the number of columns.
  index_t count() {
    index_t found = 0;
    walk([&](index_t) { ++found; });
    return found;
  }

 private:
  /// Collects bits of one word in a register: neighbouring columns cost one write.
  struct word_writer {
    bitmap_spa* row;
    std::uint64_t word = ~std::uint64_t{0}, bits = 0;
    void set(std::uint64_t column) {
      if (column >> 6 != word) {
        flush();
        word = column >> 6;
        bits = 0;
      }
      bits |= std::uint64_t{1} << (column & 63);
    }
    void flush() {
      if (bits != 0) row->set_bits(word, bits);
    }
  };

  static index_t words_for(index_t bits) { return (bits + 63) / 64; }
  template <class U>
  static void clear(buffer<U>& all) {
    if (all.size() > 0)
      std::memset(static_cast<void*>(all.data()), 0,
                  sizeof(U) * static_cast<std::size_t>(all.size()));
  }

  void set_bits(std::uint64_t word, std::uint64_t bits) {
    std::uint64_t& held = words_[static_cast<index_t>(word)];
    if (held == 0) {
      std::uint64_t& group = groups_[static_cast<index_t>(word >> 6)];
      if (group == 0) tops_[static_cast<index_t>(word >> 12)] |= bit(word >> 6);
      group |= bit(word);
    }
    held |= bits;
  }
  static std::uint64_t bit(std::uint64_t place) { return std::uint64_t{1} << (place & 63); }

  /// Calls f(column) for every column in order, and empties the bitmap.
  template <class F>
  void walk(F&& f) {
    for (index_t t = 0; t < tops_.size(); ++t)
      each_bit(tops_[t], t, [&](index_t g) {
        each_bit(groups_[g], g, [&](index_t w) { each_bit(words_[w], w, f); });
      });
  }
  template <class F>
  static void each_bit(std::uint64_t& held, index_t place, F&& f) {
    for (std::uint64_t bits = std::exchange(held, 0); bits != 0; bits &= bits - 1)
      f(place * 64 + __builtin_ctzll(bits));
  }

  index_t columns_;
  buffer<T> sums_;
  buffer<std::uint64_t> words_, groups_, tops_;
};

}  // namespace gossamer
