// The few tools every conversion is made of: a parallel loop over rows, and the three arrays of a
// compressed matrix. Results are bitwise reproducible for any number of threads.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/prefix_sums.hpp"
#include "gossamer/context.hpp"
#include "gossamer/matrix.hpp"

namespace gossamer {

/// Rows or nonzeros below which a second thread costs more than it saves: about the 3 us that
/// starting it takes (costs::team_start). Not measured by itself.
inline constexpr index_t conversion_grain = 2048;

/// Calls body(begin, end) on ranges of rows of about equal work, which is rows plus nonzeros.
template <class Body>
void parallel_rows(int threads, index_view offsets, Body&& body) {
  const index_t rows = offsets.size() - 1;
  if (rows <= 0) return;
  const auto work_before = [&](index_t row) { return row + offsets[row] - offsets[0]; };
  const index_t parts = std::clamp<index_t>(work_before(rows) / conversion_grain, 1, threads);
  parallel_work(threads, rows, parts, work_before, body);
}

/// Calls f.template operator()<I>() for the width.
template <class F>
decltype(auto) with_width(index_width width, F&& f) {
  if (width == index_width::i64) return f.template operator()<std::int64_t>();
  return f.template operator()<std::int32_t>();
}

/// Calls f.template operator()<I, J>(): I as stored in the source, J in the result.
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

/// A copy of `indices` in another width; the caller guarantees that every value fits.
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

  /// Uninitialised arrays; the caller fills the offsets, too.
  compressed(const context& where, extents shape, index_t nnz)
      : offsets(shape.rows + 1, narrowest(shape, nnz).offsets, where.memory()),
        indices(nnz, narrowest(shape, nnz).indices, where.memory()),
        values(nnz, where.memory()) {}
  /// A copy of the offsets, and uninitialised arrays for as many nonzeros as they say, in the
  /// narrowest widths that are safe for the shape.
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
