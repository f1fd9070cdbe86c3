// The few tools every conversion is made of: rows shared out by their work, and the three arrays
// of a compressed matrix. All of them give the same bits for any number of threads.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/prefix_sums.hpp"
#include "gossamer/context.hpp"
#include "gossamer/matrix.hpp"

namespace gossamer {

/// Rows or entries below which a second thread costs more than it saves.
inline constexpr index_t conversion_grain = 2048;

/// The first row of `part` when rows and entries together are dealt out evenly.
inline index_t first_row_of(index_view offsets, index_t part, index_t parts) {
  const index_t rows = offsets.size() - 1;
  const index_t wanted = part_of(rows + offsets[rows] - offsets[0], part, parts).begin;
  index_t low = 0, high = rows;
  while (low < high) {
    const index_t middle = low + (high - low) / 2;
    if (middle + offsets[middle] - offsets[0] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// body(begin, end) over ranges of rows that hold about the same work each.
template <class Body>
void parallel_rows(int threads, index_view offsets, Body&& body) {
  const index_t rows = offsets.size() - 1;
  if (rows <= 0) return;
  const index_t work = rows + offsets[rows] - offsets[0];
  const index_t parts = std::clamp<index_t>(work / conversion_grain, 1, threads);
  parallel_chunks(threads, parts, [&](index_t part) {
    const index_t begin = first_row_of(offsets, part, parts);
    const index_t end = part + 1 == parts ? rows : first_row_of(offsets, part + 1, parts);
    if (begin < end) body(begin, end);
  });
}

/// f.template operator()<I>() for the width.
template <class F>
decltype(auto) with_width(index_width width, F&& f) {
  if (width == index_width::i64) return f.template operator()<std::int64_t>();
  return f.template operator()<std::int32_t>();
}

/// f.template operator()<I, J>(): I as stored in the source, J in the result.
template <class F>
decltype(auto) with_two_widths(index_width source, index_width result, F&& f) {
  return with_width(source, [&]<class I>() -> decltype(auto) {
    return with_width(result,
                      [&]<class J>() -> decltype(auto) { return f.template operator()<I, J>(); });
  });
}

template <stored_index I>
I* raw(index_buffer& indices) {
  return indices.view().as<I>().data();
}

/// A copy of `indices` in another width; the caller knows that every value fits.
inline index_buffer copy_indices(const context& where, index_view indices, index_width width) {
  index_buffer copy(indices.size(), width, where.memory());
  with_two_widths(indices.width(), width, [&]<class I, class J>() {
    const auto from = indices.as<I>();
    J* const to = raw<J>(copy);
    parallel_ranges(where.threads(), indices.size(), conversion_grain,
                    [&](index_t begin, index_t end) {
                      for (index_t i = begin; i < end; ++i) to[i] = static_cast<J>(from[i]);
                    });
  });
  return copy;
}

/// The arrays of a CSR matrix, or of the CSC form of its transpose.
template <scalar T>
struct compressed {
  index_buffer offsets, indices;
  buffer<T> values;

  /// Room only; the offsets, too, are the caller's to fill.
  compressed(const context& where, extents shape, index_t nnz)
      : offsets(shape.rows + 1, narrowest(shape, nnz).offsets, where.memory()),
        indices(nnz, narrowest(shape, nnz).indices, where.memory()),
        values(nnz, where.memory()) {}
  /// Room for what the offsets promise, in the narrowest widths that are safe for the shape.
  compressed(const context& where, extents shape, index_view offsets_in) {
    const index_t nnz = offsets_in[offsets_in.size() - 1];
    const auto w = narrowest(shape, nnz);
    offsets = copy_indices(where, offsets_in, w.offsets);
    indices = index_buffer(nnz, w.indices, where.memory());
    values = buffer<T>(nnz, where.memory());
  }
};

template <scalar T>
csr_matrix<T> as_csr(extents shape, compressed<T>&& rows) {
  return {shape, std::move(rows.offsets), std::move(rows.indices), std::move(rows.values)};
}

}  // namespace gossamer
