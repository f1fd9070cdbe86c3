// One short row of a sparse product: its multiplications are listed and sorted by column in vector
// registers, then equal columns are summed. A key is a column with the position of its value in the
// low bits, so sorting moves 32 bits per multiplication and keeps equal columns in order. No array
// over all columns is touched, so nothing misses the cache.
#pragma once

#include <array>

#include "base/bits.hpp"
#include "kernels/spgemm/adaptive/key_sort.hpp"
#include "kernels/spgemm/operands/row_access.hpp"

namespace gossamer {

template <class T>
class sorted_row {
 public:
  explicit sorted_row(index_t columns)
      : sort_(select(key_sorters())), place_bits_(std::min(most_bits, 32 - bits_below(columns))) {}
  /// Largest number of multiplications that fit; fewer, down to none, when there are very many
  /// columns.
  index_t most() const { return place_bits_ > 0 ? index_t{1} << place_bits_ : 0; }

  /// Lists the multiplications of a row of A if there are at most `most`; returns false otherwise.
  /// `entries` is nnz(A).
  template <class RowsA, class RowsB>
  [[gnu::noinline]] bool list(const RowsA& rows_of_a, const RowsB& rows_of_b, index_t row,
                              index_t entries, index_t most) {
    // Local copies in a function that is not inlined: everything stays in registers.
    const RowsA a = rows_of_a;
    const RowsB b = rows_of_b;
    const int place_bits = place_bits_;
    std::uint32_t* const keys = keys_.data();
    T* const terms = terms_.data();
    index_t n = 0;
    std::uint32_t last = 0;
    bool ascending = true;
    const index_t end_of_row = a.end(row);
    for (index_t k = a.begin(row); k < end_of_row; ++k) {
      prefetch_rows(a, b, k, entries);
      const index_t from = a.column(k), begin = b.begin(from), end = b.end(from);
      if (n + (end - begin) > most) return false;
      const T factor = a.value(k);
      for (index_t q = begin; q < end; ++q, ++n) {
        const std::uint32_t key =
            static_cast<std::uint32_t>(b.column(q)) << place_bits | static_cast<std::uint32_t>(n);
        ascending &= key >= last;
        last = key;
        keys[n] = key;
        terms[n] = factor * b.value(q);
      }
    }
    count_ = n;
    ascending_ = ascending;
    return true;
  }
  index_t count() const { return count_; }
  /// Number of distinct columns in the list.
  index_t entries() {
    const std::uint32_t* const keys = sorted();
    index_t found = count_ > 0;
    for (index_t k = 1; k < count_; ++k)
      found += keys[k] >> place_bits_ != keys[k - 1] >> place_bits_;
    return found;
  }

  /// Writes the row, columns ascending, sums times alpha. Returns its nonzeros; `space` may exceed
  /// them.
  template <class J>
  index_t take(J* columns, T* values, index_t space, T alpha) {
    const std::uint32_t* const keys = sorted();
    const int place_bits = place_bits_;
    const std::uint32_t mask = (std::uint32_t{1} << place_bits) - 1;
    const index_t count = count_;
    std::fill_n(values, std::min(count, space), T{0});
    index_t at = -1;
    std::uint32_t before = ~std::uint32_t{0};
    for (index_t k = 0; k < count; ++k) {  // no branches: equal columns are unpredictable
      const std::uint32_t key = keys[k], column = key >> place_bits;
      at += column != before;
      before = column;
      columns[at] = static_cast<J>(column);
      values[at] += terms_[key & mask];
    }
    if (alpha != T{1})
      for (index_t k = 0; k <= at; ++k) values[k] *= alpha;
    return at + 1;
  }

 private:
  /// Products up to 512: docs/kernels/spgemm-adaptive.md has the limits of a sorted row.
  static constexpr int most_bits = 9;
  static constexpr std::size_t capacity = std::size_t{1} << most_bits;
  static_assert(capacity == 2 * most_keys);

  /// Sorts by insertion when there are very few, by one network, or by two and a merge.
  const std::uint32_t* sorted() {
    std::uint32_t* const keys = keys_.data();
    if (ascending_) return keys;
    if (count_ <= 8) {
      sort_by_insertion(keys, count_);
      return keys;
    }
    sort_(keys, std::min(count_, most_keys));
    if (count_ <= most_keys) return keys;
    sort_(keys + most_keys, count_ - most_keys);
    merge(keys, keys + most_keys, keys + count_, merged_.data());
    return merged_.data();
  }
  /// Merges [first, middle) and [middle, last), without branches on the keys, which are distinct.
  static void merge(const std::uint32_t* first, const std::uint32_t* const middle,
                    const std::uint32_t* const last, std::uint32_t* out) {
    const std::uint32_t* second = middle;
    while (first != middle && second != last) {
      const std::uint32_t a = *first, b = *second;
      *out++ = a < b ? a : b;
      first += a < b;
      second += b < a;
    }
    out = std::copy(first, middle, out);
    std::copy(second, last, out);
  }

  key_sorter sort_;
  int place_bits_ = 0;
  index_t count_ = 0;
  bool ascending_ = true;  // already sorted as listed
  alignas(64) std::array<std::uint32_t, most_keys + room_for_keys> keys_;
  alignas(64) std::array<std::uint32_t, capacity> merged_;
  alignas(64) std::array<T, capacity> terms_;
};

}  // namespace gossamer
