// A hash accumulator for one row of a sparse product that is probed bucket by bucket
// (bucket_probe.hpp). It is reused between rows, with all keys free and all sums zero.
#pragma once

#include <array>

#include "gossamer/memory.hpp"
#include "kernels/spgemm/hashvec/bucket_probe.hpp"

namespace gossamer {

template <class I, class T>
class bucket_table {
 public:
  explicit bucket_table(std::shared_ptr<memory_resource> source,
                        bucket_locator<I> locate = select(bucket_locators<I>()))
      : locate_(locate), source_(std::move(source)) {}

  /// Slots for this many distinct columns: at most half of them are used, so searches always end.
  static index_t slots_for(index_t entries) {
    const auto wanted = static_cast<std::uint64_t>(std::max(entries, least_entries));
    return static_cast<index_t>(std::bit_ceil(wanted) * 2);
  }

  static index_t bytes_for(index_t entries) {
    return slots_for(entries) * index_t{sizeof(I) + sizeof(T) + sizeof(column_slot<I>)};
  }

  /// Prepares an empty table for this many distinct columns.
  void reserve(index_t entries) {
    const index_t slots = slots_for(entries);
    arrays_.mask = static_cast<std::uint64_t>(slots) - 1;
    arrays_.hash = column_hash::of(static_cast<std::uint64_t>(slots));
    if (slots <= keys_.size()) return;
    keys_ = {}, sums_ = {}, used_ = {};  // frees the old table before the new one is allocated
    keys_ = buffer<I>(slots, source_);
    sums_ = buffer<T>(slots, source_);
    used_ = buffer<column_slot<I>>(slots, source_);
    std::fill_n(keys_.data(), slots, I{-1});
    std::fill_n(sums_.data(), slots, T{0});
    arrays_.keys = keys_.data();
    arrays_.used = used_.data();
  }

  void touch(const I* columns, index_t count) {
    in_parts(columns, count, [](index_t, index_t) {});
  }
  /// Adds product(k) to the sum of columns[k].
  template <class Product>
  void add(const I* columns, index_t count, Product&& product) {
    in_parts(columns, count, [&](index_t first, index_t here) {
      for (index_t k = 0; k < here; ++k)
        sums_[static_cast<index_t>(slots_[static_cast<std::size_t>(k)])] += product(first + k);
    });
  }
  index_t count() const { return arrays_.count; }

  /// Calls out(column, alpha * sum) with columns in order.
  template <class Out>
  void take(Out* columns, T* values, T alpha) {
    const auto* list = sort_by_column(used_.data(), used_.data() + used_.size() / 2, count());
    for (index_t k = 0; k < count(); ++k) {
      columns[k] = static_cast<Out>(list[k].column);
      values[k] = alpha * std::exchange(sums_[static_cast<index_t>(list[k].slot)], T{0});
    }
    forget();
  }
  /// Empties a table that only counted columns.
  void forget() {
    for (index_t k = 0; k < count(); ++k) keys_[static_cast<index_t>(used_[k].slot)] = -1;
    arrays_.count = 0;
  }

 private:
  static constexpr index_t least_entries = 16;  // a bucket is one vector of up to 16 keys

  template <class F>
  void in_parts(const I* columns, index_t count, F&& located) {
    const auto part = static_cast<index_t>(slots_.size());
    for (index_t first = 0; first < count; first += part) {
      const index_t here = std::min(part, count - first);
      locate_(arrays_, columns + first, here, slots_.data());
      located(first, here);
    }
  }

  bucket_locator<I> locate_;
  std::shared_ptr<memory_resource> source_;
  buffer<I> keys_;  // buffers are aligned to 64 bytes, as the buckets have to be
  buffer<T> sums_;
  buffer<column_slot<I>> used_;  // the first half is the list, the second is scratch for sorting
  bucket_arrays<I> arrays_;
  std::array<bucket_slot<I>, 256> slots_;
};

}  // namespace gossamer
