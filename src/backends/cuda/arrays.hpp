// Queries and operations on device arrays that later layers need; implemented by the backend or by
// absent.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/context.hpp"
#include "gossamer/views.hpp"

namespace gossamer::cuda {

/// y = beta y; beta = 0 does not read y. Queued, like a kernel.
template <scalar T>
void scale(const context&, const dense_view<T>& y, T beta);
/// Copies element by element, with any strides. Queued.
template <scalar T>
void copy_elements(const context&, const dense_view<const T>& from, const dense_view<T>& to);

/// Runs of consecutive column indices from all over a matrix: of `count` equal parts of the
/// columns, the first `length` each. count = 0: none.
struct column_runs {
  index_view columns;
  index_t count = 0, length = 0;
  index_t per_line = 1;  ///< elements of x in a cache line
};
/// The longest of the lines that the offsets describe, and the different cache lines of x that the
/// columns of each run touch, added up.
struct seen_rows {
  index_t longest = 0, lines_of_x = 0;
};
/// One launch, and one wait for the device; nothing is seen while the stream is captured, when
/// waiting is impossible.
seen_rows look_at_rows(const context&, index_view offsets, const column_runs& = {});
inline index_t longest_line(const context& where, index_view offsets) {
  return look_at_rows(where, offsets).longest;
}
/// Whether the indices ascend (not strictly). Waits; false while the stream is captured.
bool ascends(const context&, index_view indices);

/// True while the stream of a CUDA context is recorded for a graph: waiting and allocating are
/// impossible then. False on the host.
bool is_captured(const context&);

/// For each array a number that depends on every element and its place, the same on every run.
/// Waits once.
std::vector<std::uint64_t> fingerprints(const context&, std::span<const index_view> arrays);

/// The structure of a compressed operand of a product.
struct compressed_lines {
  index_view offsets, indices;
  bool by_rows = true;
};
/// Multiplications of A times B, whose inner dimension is `inner`. Waits. Allocates an array of
/// that size only where A is by rows and B by columns.
index_t count_products(const context&, const compressed_lines& a, const compressed_lines& b,
                       index_t inner);

}  // namespace gossamer::cuda
