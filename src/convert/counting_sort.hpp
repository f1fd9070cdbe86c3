// Converts nonzeros in any order into compressed rows by a stable counting sort. Each part of the
// nonzeros has its own counter for every row, so threads do not interfere, and the position of a
// nonzero depends on the input alone.
#pragma once

#include "convert/arrays.hpp"

namespace gossamer {

/// Number of parts such that all counters together stay within twice the number of nonzeros.
inline index_t counting_parts(const context& where, index_t rows, index_t nnz) {
  const index_t by_memory = 2 * (nnz / std::max<index_t>(rows, 1));
  const index_t by_work = nnz / conversion_grain;
  return std::clamp<index_t>(std::min(by_memory, by_work), 1, where.threads());
}

/// Sorts; walk(begin, end, f) calls f(row, column, value) for nonzeros begin .. end in storage
/// order.
template <scalar T, class Walk>
compressed<T> counting_sort(const context& where, extents shape, index_t nnz, const Walk& walk) {
  const index_t rows = shape.rows, parts = counting_parts(where, rows, nnz);
  buffer<index_t> counters(parts * rows, where.memory()), sums(rows + 1, where.memory());
  parallel_chunks(where.threads(), parts, [&](index_t part) {
    index_t* const mine = counters.data() + part * rows;
    std::fill_n(mine, rows, index_t{0});
    const auto [begin, end] = part_of(nnz, part, parts);
    walk(begin, end, [mine](index_t row, index_t, T) { ++mine[row]; });
  });

  // Counts become the positions where each part starts to write in each row.
  const auto all_rows = [&](auto&& body) {
    parallel_ranges(where.threads(), rows, conversion_grain, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) body(i);
    });
  };
  all_rows([&](index_t i) {
    index_t sum = 0;
    for (index_t part = 0; part < parts; ++part) sum += counters[part * rows + i];
    sums[i] = sum;
  });
  prefix_sums(where.threads(), sums.span());
  all_rows([&](index_t i) {
    index_t next = sums[i];
    for (index_t part = 0; part < parts; ++part)
      next += std::exchange(counters[part * rows + i], next);
  });

  compressed<T> result(where, shape, {sums.data(), sums.size()});
  with_width(result.indices.width(), [&]<class J>() {
    J* const columns = raw<J>(result.indices);
    T* const values = result.values.data();
    parallel_chunks(where.threads(), parts, [&](index_t part) {
      index_t* const next = counters.data() + part * rows;
      const auto [begin, end] = part_of(nnz, part, parts);
      walk(begin, end, [=](index_t row, index_t column, T value) {
        const index_t at = next[row]++;
        columns[at] = static_cast<J>(column);
        values[at] = value;
      });
    });
  });
  return result;
}

}  // namespace gossamer
