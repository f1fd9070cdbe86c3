// Finished rows of a result whose size is not known yet. Every thread appends its rows to private
// blocks; when all rows are finished, the result is allocated at its exact size and the rows are
// copied into place. Peak memory is twice the result, plus a block per thread.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "gossamer/matrix.hpp"
#include "kernels/spgemm/frame/two_phases.hpp"

namespace gossamer {

/// Rows first_row, first_row + 1, ... of one thread, contiguous in a block; or a part of one row.
template <class I, class T>
struct row_segment {
  index_t first_row = 0;
  index_t skipped = 0;  // nonzeros of the first row that come before this part
  const I* columns = nullptr;
  const T* values = nullptr;
  index_t count = 0;
};

template <class I, class T>
class row_writer {
 public:
  explicit row_writer(std::shared_ptr<memory_resource> source) : source_(std::move(source)) {}

  struct place {
    I* columns = nullptr;
    T* values = nullptr;
  };
  /// Reserves memory for `count` nonzeros of `row`. Rows between two calls of begin_segment must be
  /// consecutive.
  place reserve(index_t row, index_t count) {
    if (used_ + count > capacity_) {
      // Blocks grow with the total size, so that few blocks hold much and little is wasted.
      capacity_ = std::max({count, first_block, std::min(total_, largest_block)});
      columns_.emplace_back(capacity_, source_);
      values_.emplace_back(capacity_, source_);
      used_ = 0;
      open_ = false;
    }
    I* columns = columns_.empty() ? nullptr : columns_.back().data() + used_;
    T* values = values_.empty() ? nullptr : values_.back().data() + used_;
    if (!std::exchange(open_, true)) segments_.push_back({row, 0, columns, values, 0});
    segments_.back().count += count;
    used_ += count;
    total_ += count;
    return {columns, values};
  }
  /// Returns the last `count` reserved nonzeros, which were not used.
  void give_back(index_t count) {
    used_ -= count;
    total_ -= count;
    segments_.back().count -= count;
  }
  /// The last `count` nonzeros.
  place last(index_t count) {
    if (columns_.empty()) return {};
    return {columns_.back().data() + used_ - count, values_.back().data() + used_ - count};
  }
  void begin_segment() { open_ = false; }
  /// Marks the last segment as a part of its row that follows `skipped` nonzeros.
  void continue_row(index_t skipped) { segments_.back().skipped = skipped; }
  const std::vector<row_segment<I, T>>& segments() const { return segments_; }

 private:
  /// Nonzeros of the blocks, which double in size: small products take little memory, large ones
  /// few blocks. Not measured.
  static constexpr index_t first_block = 1 << 15, largest_block = 1 << 20;

  std::shared_ptr<memory_resource> source_;
  std::vector<buffer<I>> columns_;
  std::vector<buffer<T>> values_;
  std::vector<row_segment<I, T>> segments_;
  index_t capacity_ = 0, used_ = 0, total_ = 0;
  bool open_ = false;
};

/// Copies all segments to the positions of their rows in `offsets`.
template <class J, class I, class T>
void copy_segments(const std::vector<row_writer<I, T>>& writers, const index_t* offsets, J* columns,
                   T* values, int threads) {
  std::vector<const row_segment<I, T>*> segments;
  for (const auto& writer : writers)
    for (const auto& one : writer.segments()) segments.push_back(&one);
  parallel_chunks(threads, static_cast<index_t>(segments.size()), [&](index_t k) {
    const auto& from = *segments[static_cast<std::size_t>(k)];
    const index_t at = offsets[from.first_row] + from.skipped;
    std::copy_n(from.values, from.count, values + at);
    if constexpr (sizeof(I) == sizeof(J))
      std::copy_n(from.columns, from.count, columns + at);
    else
      for (index_t e = 0; e < from.count; ++e) columns[at + e] = static_cast<J>(from.columns[e]);
  });
}

/// Allocates the result at its exact size and fills it; `offsets` are its row offsets.
template <class I, class T>
csr_matrix<T> collect_rows(extents shape, const buffer<index_t>& offsets,
                           const std::vector<row_writer<I, T>>& writers, const context& where) {
  const index_t nnz = offsets[shape.rows];
  const int team = team_for_products(nnz, where.threads());
  csr_matrix<T> c(shape, nnz, narrowest(shape, nnz), where.memory());
  const auto view = c.mutable_view();
  write_offsets(view, offsets.data(), team);
  if (view.columns.width() == index_width::i32)
    copy_segments(writers, offsets.data(), static_cast<std::int32_t*>(view.columns.data()),
                  view.values, team);
  else
    copy_segments(writers, offsets.data(), static_cast<std::int64_t*>(view.columns.data()),
                  view.values, team);
  return c;
}

}  // namespace gossamer
