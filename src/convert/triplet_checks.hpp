// Triplets whose indices are out of range are found before anything is written by them.
#pragma once

#include <span>

#include "base/parallel_all.hpp"
#include "base/text.hpp"
#include "convert/arrays.hpp"

namespace gossamer {

[[noreturn]] inline void refuse_index(extents shape, index_t position, const char* what,
                                      index_t index, index_t count) {
  throw fail(error_kind::bad_argument,
             "the triplet at position {} has {} {}, but the matrix is {}: {}", position, what,
             index, shape_text(shape),
             count == 0 ? formatted("it has no {}s", what)
                        : formatted("{}s are 0 to {}", what, count - 1));
}

/// Throws for the first triplet that is out of range.
template <class I, class J>
void require_in_range(const context& where, extents shape, std::span<const I> rows,
                      std::span<const J> columns) {
  const auto inside = [](index_t index, index_t count) { return index >= 0 && index < count; };
  const auto nnz = static_cast<index_t>(rows.size());
  const bool right =
      parallel_all(where.threads(), nnz, conversion_grain, [&](index_t begin, index_t end) {
        bool all = true;
        for (index_t p = begin; p < end; ++p) {
          const auto k = static_cast<std::size_t>(p);
          all &= inside(rows[k], shape.rows) && inside(columns[k], shape.cols);
        }
        return all;
      });
  if (right) return;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto position = static_cast<index_t>(k);
    if (!inside(rows[k], shape.rows)) refuse_index(shape, position, "row", rows[k], shape.rows);
    if (!inside(columns[k], shape.cols))
      refuse_index(shape, position, "column", columns[k], shape.cols);
  }
}

}  // namespace gossamer
