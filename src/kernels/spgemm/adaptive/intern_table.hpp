// Concurrent intern table for integer sequences: each distinct sequence is stored once. Threads
// look sequences up while others insert; stored items never move.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "gossamer/types.hpp"

namespace gossamer {

/// Item has `std::vector<std::uint64_t> numbers` and `int id`, its index among all items.
template <class Item>
class intern_table {
 public:
  /// Not measured; bounds the memory of patterns where rows do not repeat.
  static constexpr int most = 1024;

  /// Returns the item of these numbers; if there is none, inserts the std::unique_ptr<Item> that
  /// make() returns. Null when that is null or the table is full.
  template <class Make>
  const Item* find(std::span<const std::uint64_t> numbers, Make&& make) {
    std::size_t slot = hash(numbers);
    if (const Item* found = look(numbers, slot)) return found;
    const std::lock_guard lock(guard_);
    if (const Item* found = look(numbers, slot)) return found;  // another thread was faster
    if (size() == most) return nullptr;
    std::unique_ptr<Item> result = make();
    if (!result) return nullptr;
    result->numbers.assign(numbers.begin(), numbers.end());
    result->id = size();
    items_.push_back(std::move(result));
    slots_[slot].store(items_.back().get(), std::memory_order_release);
    return items_.back().get();
  }

  /// Number of items; not to be called while threads insert.
  int size() const { return static_cast<int>(items_.size()); }
  const Item& operator[](int id) const { return *items_[static_cast<std::size_t>(id)]; }

 private:
  static constexpr std::size_t slots = 2 * most;  // never more than half of them are used

  static std::size_t hash(std::span<const std::uint64_t> numbers) {
    std::uint64_t mixed = numbers.size();
    for (const std::uint64_t number : numbers)
      mixed = (mixed ^ number ^ mixed >> 29) * 0x9E3779B97F4A7C15U;
    return mixed >> 40 & (slots - 1);
  }
  /// Returns the item, or null with `slot` set to where it would be inserted.
  const Item* look(std::span<const std::uint64_t> numbers, std::size_t& slot) const {
    for (;; slot = (slot + 1) & (slots - 1)) {
      const Item* item = slots_[slot].load(std::memory_order_acquire);
      if (!item || std::ranges::equal(item->numbers, numbers)) return item;
    }
  }

  std::array<std::atomic<const Item*>, slots> slots_{};
  std::vector<std::unique_ptr<Item>> items_;
  std::mutex guard_;
};

/// One thread's cursor over many lookups: it first tries the item that followed the last one
/// before, so sequences that repeat, alone or alternating, are compared and not hashed.
template <class Item>
class sequence_reader {
 public:
  explicit sequence_reader(intern_table<Item>& table) : table_(table) {}

  /// The item of number(0) .. number(count - 1), as in intern_table::find.
  template <class Number, class Make>
  const Item* read(index_t count, Number&& number, Make&& make) {
    const Item*& guess = next_[last_];
    if (guess && matches(*guess, count, number)) {
      last_ = static_cast<std::size_t>(guess->id);
      return guess;
    }
    list_.resize(static_cast<std::size_t>(count));
    for (index_t k = 0; k < count; ++k) list_[static_cast<std::size_t>(k)] = number(k);
    const Item* found = table_.find(list_, make);
    if (!found) return nullptr;
    guess = found;
    last_ = static_cast<std::size_t>(found->id);
    return found;
  }

 private:
  template <class Number>
  static bool matches(const Item& item, index_t count, Number&& number) {
    if (static_cast<index_t>(item.numbers.size()) != count) return false;
    const std::uint64_t* const wanted = item.numbers.data();
    std::uint64_t differ = 0;  // no branches: most match to the end
    for (index_t k = 0; k < count; ++k) differ |= wanted[k] ^ number(k);
    return differ == 0;
  }

  intern_table<Item>& table_;
  std::array<const Item*, intern_table<Item>::most> next_{};
  std::size_t last_ = 0;
  std::vector<std::uint64_t> list_;
};

}  // namespace gossamer
