// Gates decide which columns of a row of C are computed. Without a mask the gate is open at no
// cost; with one, a bitmap of the mask's row is filled before the row and cleared after it. Where
// there are very many columns, they share bits, and what the bitmap admits is looked up in the row.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "gossamer/views.hpp"

namespace gossamer {

struct open_gate {
  static constexpr bool admits(index_t) { return true; }
};

class mask_gate {
 public:
  mask_gate(const pattern& mask, const std::shared_ptr<memory_resource>& source)
      : mask_(mask),
        words_(std::min((mask.shape.cols + 63) / 64, most_words), source),
        flip_(mask.complemented ? 1u : 0u),
        shared_((mask.shape.cols + 63) / 64 > most_words) {
    if (words_.size() > 0)
      std::memset(words_.data(), 0,
                  sizeof(std::uint64_t) * static_cast<std::size_t>(words_.size()));
  }
  static index_t bytes_for(index_t columns) { return std::min(columns / 8, most_words * 8); }

  void open(index_t row) {
    each(row, [this](index_t column) { word_of(column) |= std::uint64_t{1} << (column & 63); });
    if (!shared_) return;
    sorted_.clear();
    each(row, [this](index_t column) { sorted_.push_back(column); });
    std::sort(sorted_.begin(), sorted_.end());
  }
  void close(index_t row) {
    each(row, [this](index_t column) { word_of(column) = 0; });
  }
  bool admits(index_t column) const {
    std::uint64_t marked = words_[(column >> 6) & (most_words - 1)] >> (column & 63) & 1;
    if (shared_ && marked != 0)
      marked = std::binary_search(sorted_.begin(), sorted_.end(), column) ? 1 : 0;
    return marked != flip_;
  }

 private:
  /// 8 MB; a power of two. More columns than bits share them. Not measured.
  static constexpr index_t most_words = 1 << 20;

  std::uint64_t& word_of(index_t column) { return words_[(column >> 6) & (most_words - 1)]; }

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
  bool shared_;                  ///< columns share bits
  std::vector<index_t> sorted_;  ///< the columns of the open row then
};

}  // namespace gossamer
