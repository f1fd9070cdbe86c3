// Builds a list for each row in two passes: one counts the items, one writes them contiguously.
#pragma once

#include "base/parallel.hpp"
#include "base/prefix_sums.hpp"
#include "gossamer/context.hpp"

namespace gossamer {

/// Returns the begins of the lists, rows + 1 numbers; visit(row, f) calls f for every item.
template <class Visit>
buffer<index_t> list_offsets(index_t rows, const context& where, Visit&& visit) {
  buffer<index_t> offsets(rows + 1, where.memory());
  parallel_ranges(where.threads(), rows, 4096, [&](index_t begin, index_t end) {
    for (index_t row = begin; row < end; ++row) {
      index_t count = 0;
      visit(row, [&](const auto&...) { ++count; });
      offsets[row] = count;
    }
  });
  prefix_sums(where.threads(), offsets.span());
  return offsets;
}

/// Calls put(position, item) for every item.
template <class Visit, class Put>
void write_lists(const buffer<index_t>& offsets, const context& where, Visit&& visit, Put&& put) {
  parallel_ranges(where.threads(), offsets.size() - 1, 4096, [&](index_t begin, index_t end) {
    index_t at = offsets[begin];
    for (index_t row = begin; row < end; ++row)
      visit(row, [&](const auto&... item) { put(at++, item...); });
  });
}

}  // namespace gossamer
