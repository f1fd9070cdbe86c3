// A hash accumulator for one row of a sparse product: columns and sums in an open-addressing table
// that is reused between rows and cleared by touching only used slots. The key alone marks a slot
// as used (a column is never negative), so every value is allowed, Inf and NaN included.
#pragma once

#include <bit>

#include "gossamer/memory.hpp"
#include "kernels/spgemm/accumulators/column_slots.hpp"
#include "kernels/spgemm/accumulators/mask_gate.hpp"
#include "kernels/spgemm/accumulators/semiring.hpp"

namespace gossamer {

template <class I, class T, class Semiring = semirings::plus_times<T>>
class hash_table {
 public:
  explicit hash_table(std::shared_ptr<memory_resource> source) : source_(std::move(source)) {}

  /// Slots for this many distinct columns, and the bytes of a table of that size.
  static index_t slots_for(index_t entries) {
    return static_cast<index_t>(
        std::bit_ceil(static_cast<std::uint64_t>(entries < 8 ? 8 : entries)) * 2);
  }
  static index_t bytes_for(index_t entries) {
    return slots_for(entries) * index_t{sizeof(I) + sizeof(T) + sizeof(column_slot<I>)};
  }

  /// Prepares an empty table for `entries` distinct columns at a load factor of at most one half:
  /// probes always end. Short rows use the front of a table that a long row has enlarged.
  void reserve(index_t entries) {
    const index_t slots = slots_for(entries);
    mask_ = static_cast<std::uint64_t>(slots) - 1;
    hash_ = column_hash::of(static_cast<std::uint64_t>(slots));
    if (slots <= keys_.size()) return;
    keys_ = {}, sums_ = {}, used_ = {};  // frees the old table before the new one is allocated
    keys_ = buffer<I>(slots, source_);
    sums_ = buffer<T>(slots, source_);
    used_ = buffer<column_slot<I>>(slots, source_);
    std::fill_n(keys_.data(), keys_.size(), empty);
  }

  /// Inserts columns; those that the gate does not admit are skipped, here and in add().
  template <class Gate = open_gate>
  void touch(const I* columns, index_t count, const Gate& gate = {}) {
    for (index_t k = 0; k < count; ++k) {
      if (!gate.admits(columns[k])) continue;
      const index_t slot = find(columns[k]);
      if (keys_[slot] == empty) insert(columns[k], slot);
    }
  }
  /// Adds product(k) to the sum of columns[k].
  template <class Product, class Gate = open_gate>
  void add(const I* columns, index_t count, Product&& product, const Gate& gate = {}) {
    for (index_t k = 0; k < count; ++k) {
      if (!gate.admits(columns[k])) continue;
      const index_t slot = find(columns[k]);
      if (keys_[slot] == empty) {
        insert(columns[k], slot);
        sums_[slot] = T{0} + product(k);  // sums start at 0, so that -0 alone gives 0
      } else {
        const T one = product(k);
        Semiring::add(sums_[slot], one);
      }
    }
  }
  index_t count() const { return count_; }

  /// Calls out(column, alpha * sum) with columns in order.
  template <class Out>
  void take(Out* columns, T* values, T alpha) {
    const auto* list = sort_by_column(used_.data(), used_.data() + used_.size() / 2, count_);
    for (index_t k = 0; k < count_; ++k) {
      columns[k] = static_cast<Out>(list[k].column);
      values[k] = scaled_value(alpha, sums_[static_cast<index_t>(list[k].slot)]);
    }
    forget();
  }
  /// Empties a table that only counted columns.
  void forget() {
    for (index_t k = 0; k < count_; ++k) keys_[static_cast<index_t>(used_[k].slot)] = empty;
    count_ = 0;
  }

 private:
  static constexpr I empty = -1;

  index_t find(I column) const {
    auto slot = hash_(column);
    while (keys_[static_cast<index_t>(slot)] != empty &&
           keys_[static_cast<index_t>(slot)] != column)
      slot = (slot + 1) & mask_;
    return static_cast<index_t>(slot);
  }
  void insert(I column, index_t slot) {
    keys_[slot] = column;
    used_[count_++] = {column, static_cast<std::make_unsigned_t<I>>(slot)};
  }

  std::shared_ptr<memory_resource> source_;
  buffer<I> keys_;
  buffer<T> sums_;
  buffer<column_slot<I>> used_;  // the first half is the list, the second is scratch for sorting
  std::uint64_t mask_ = 0;
  column_hash hash_;
  index_t count_ = 0;
};

}  // namespace gossamer
