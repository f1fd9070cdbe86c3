// A product in slices of rows of A, as many rows at a time as the memory allows, and the slices as
// one matrix.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "gossamer/matrix.hpp"

namespace gossamer::detail {

/// Slices that worked before a larger one is tried: what fails has been counted in vain.
inline constexpr int slices_before_growth = 4;

/// Rows and nonzeros of A before a row.
inline index_t work_before(std::span<const index_t> offsets, index_t row) {
  return offsets[static_cast<std::size_t>(row)] + row;
}

/// The row after the slice that begins at `first` and has at most `share` rows and nonzeros, but at
/// least one row.
inline index_t slice_end(std::span<const index_t> offsets, index_t first, index_t share) {
  index_t low = first + 1, high = static_cast<index_t>(offsets.size()) - 1;
  while (low < high) {
    const index_t middle = low + (high - low + 1) / 2;
    if (work_before(offsets, middle) - work_before(offsets, first) <= share)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

inline bool is_lack_of_memory(const error& e) {
  return e.kind() == error_kind::memory_limit || e.kind() == error_kind::out_of_memory;
}

/// take(multiply(rows)) for consecutive ranges that make up all rows. All rows are tried at first;
/// a slice that `multiply` has too little memory for is halved, and a single row's error is passed
/// on. `offsets` are those of A, rows + 1.
template <class Multiply, class Take>
void in_slices(std::span<const index_t> offsets, Multiply&& multiply, Take&& take) {
  const index_t rows = static_cast<index_t>(offsets.size()) - 1;
  if (rows == 0) return take(multiply(range{0, 0}));
  index_t share = work_before(offsets, rows);
  int worked = 0;
  const auto attempt = [&](range slice) {
    try {
      return std::optional(multiply(slice));
    } catch (const error& e) {
      if (slice.end - slice.begin == 1 || !is_lack_of_memory(e)) throw;
    }
    share = (work_before(offsets, slice.end) - work_before(offsets, slice.begin)) / 2;
    worked = 0;
    return std::optional<decltype(multiply(slice))>();
  };
  for (index_t first = 0; first < rows;) {
    const range slice{first, slice_end(offsets, first, share)};
    auto found = attempt(slice);
    if (!found) continue;
    take(std::move(*found));
    first = slice.end;
    if (++worked % slices_before_growth == 0) share *= 2;
  }
}

/// Copies indices into another array, whose width holds them, adding `shift` to each.
template <class I, class J>
void copy_shifted(std::span<const I> from, index_t shift, J* to) {
  parallel_ranges(default_threads(), static_cast<index_t>(from.size()), 1 << 16,
                  [&](index_t begin, index_t end) {
                    for (index_t i = begin; i < end; ++i)
                      to[i] = static_cast<J>(from[static_cast<std::size_t>(i)] + shift);
                  });
}
inline void copy_shifted(index_view from, index_t shift, index_span to, index_t place) {
  const auto into = [&]<class I>(std::span<const I> source) {
    if (to.width() == index_width::i32)
      copy_shifted(source, shift, to.as<std::int32_t>().data() + place);
    else
      copy_shifted(source, shift, to.as<std::int64_t>().data() + place);
  };
  if (from.width() == index_width::i32)
    into(from.as<std::int32_t>());
  else
    into(from.as<std::int64_t>());
}

/// The slices below one another; each is freed once it was copied.
template <class T>
csr_matrix<T> joined_rows(extents shape, std::vector<csr_matrix<T>> slices) {
  if (slices.size() == 1) return std::move(slices.front());
  index_t nnz = 0, row = 0, place = 0;
  for (const auto& one : slices) nnz += one.nnz();
  csr_matrix<T> all(shape, nnz, narrowest(shape, nnz));
  const auto out = all.mutable_view();
  for (auto& one : slices) {
    const auto from = std::as_const(one).view();
    copy_shifted(from.offsets, place, out.offsets, row);
    copy_shifted(from.columns, 0, out.columns, place);
    parallel_ranges(default_threads(), from.nnz(), 1 << 16, [&](index_t begin, index_t end) {
      std::copy(from.values + begin, from.values + end, out.values + place + begin);
    });
    row += one.rows();
    place += one.nnz();
    one = {};
  }
  return all;
}

}  // namespace gossamer::detail
