// One row of a sparse product: columns and sums in an open-addressing table that is kept between
// rows and cleared by touching only what was used. Occupancy is told by the key alone (a column is
// never negative), so every value, Inf and NaN included, is just a value.
#pragma once

#include <bit>

#include "gossamer/memory.hpp"

namespace gossamer {

template <class I, class T>
class hash_table {
 public:
  using key = I;
  explicit hash_table(std::shared_ptr<memory_resource> source) : source_(std::move(source)) {}

  /// Room for `entries` distinct columns at a load of at most one half: probes always end.
  void reserve(index_t entries) {
    const auto wanted = std::bit_ceil(static_cast<std::uint64_t>(entries < 8 ? 8 : entries)) * 2;
    if (wanted <= mask_ + 1 && mask_ != 0) return;
    keys_ = buffer<I>(static_cast<index_t>(wanted), source_);
    sums_ = buffer<T>(static_cast<index_t>(wanted), source_);
    used_ = buffer<index_t>(static_cast<index_t>(wanted / 2), source_);
    std::fill_n(keys_.data(), keys_.size(), empty);
    mask_ = wanted - 1;
  }

  void add(I column, T product) {
    const index_t slot = find(column);
    if (keys_[slot] == empty) {
      keys_[slot] = column;
      sums_[slot] = product;
      used_[count_++] = slot;
    } else {
      sums_[slot] += product;
    }
  }
  void touch(I column) {
    const index_t slot = find(column);
    if (keys_[slot] != empty) return;
    keys_[slot] = column;
    used_[count_++] = slot;
  }
  T sum(I column) const { return sums_[find(column)]; }
  index_t count() const { return count_; }

  /// The columns in the order they came.
  template <class Out>
  void columns(Out* out) const {
    for (index_t k = 0; k < count_; ++k) out[k] = static_cast<Out>(keys_[used_[k]]);
  }
  void clear() {
    for (index_t k = 0; k < count_; ++k) keys_[used_[k]] = empty;
    count_ = 0;
  }

 private:
  static constexpr I empty = -1;

  // Fibonacci hashing: neighbouring columns land far apart, strides do not pile up.
  index_t find(I column) const {
    auto slot = (static_cast<std::uint64_t>(column) * 0x9E3779B97F4A7C15u >> 20) & mask_;
    while (keys_[static_cast<index_t>(slot)] != empty &&
           keys_[static_cast<index_t>(slot)] != column)
      slot = (slot + 1) & mask_;
    return static_cast<index_t>(slot);
  }

  std::shared_ptr<memory_resource> source_;
  buffer<I> keys_;
  buffer<T> sums_;
  buffer<index_t> used_;
  std::uint64_t mask_ = 0;
  index_t count_ = 0;
};

}  // namespace gossamer
