// Gates decide which columns of a row of C are computed. Without a mask the gate is open at no
// cost; with one, a bitmap of the mask's row is filled before the row and cleared after it.
#pragma once

#include <cstring>
#include <memory>

#include "gossamer/views.hpp"

namespace gossamer {

struct open_gate {
  static constexpr bool admits(index_t) { return true; }
};

class mask_gate {
 public:
  mask_gate(const pattern& mask, const std::shared_ptr<memory_resource>& source)
      : mask_(mask),
        words_((mask.shape.cols + 63) / 64, source),
        flip_(mask.complemented ? 1u : 0u) {
    if (words_.size() > 0)
      std::memset(words_.data(), 0,
                  sizeof(std::uint64_t) * static_cast<std::size_t>(words_.size()));
  }
  static index_t bytes_for(index_t columns) { return columns / 8; }

  void open(index_t row) {
    each(row, [this](index_t column) { words_[column >> 6] |= std::uint64_t{1} << (column & 63); });
  }
  void close(index_t row) {
    each(row, [this](index_t column) { words_[column >> 6] = 0; });
  }
  bool admits(index_t column) const {
    return ((words_[column >> 6] >> (column & 63)) & 1) != flip_;
  }

 private:
  template <class F>
  void each(index_t row, F&& f) const {
    const index_t begin = mask_.offsets[row], end = mask_.offsets[row + 1];
    if (mask_.columns.width() == index_width::i32)
      walk(static_cast<const std::int32_t*>(mask_.columns.data()), begin, end, f);
    else
      walk(static_cast<const std::int64_t*>(mask_.columns.data()), begin, end, f);
  }
  template <class I, class F>
  static void walk(const I* columns, index_t begin, index_t end, F&& f) {
    for (index_t p = begin; p < end; ++p) f(index_t{columns[p]});
  }

  pattern mask_;
  buffer<std::uint64_t> words_;
  std::uint64_t flip_;
};

}  // namespace gossamer
