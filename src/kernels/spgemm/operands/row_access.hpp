// Access to rows of an operand of a sparse product. A CSR operand is read directly. A CSC operand
// (a transposed CSR) is read through an index of its structure: for each row, the columns and the
// positions of their values. Values are read in place, so a plan stays valid when they change, and
// no transposed matrix is built.
#pragma once

#include <limits>
#include <memory>

#include "formats/operand.hpp"
#include "gossamer/context.hpp"

namespace gossamer {

struct row_index {
  buffer<index_t> offsets;    // rows + 1
  buffer<index_t> columns;    // nnz
  buffer<index_t> positions;  // nnz
  index_t bytes() const {
    return (offsets.size() + columns.size() + positions.size()) * index_t{sizeof(index_t)};
  }
};

/// Builds the index of a CSC operand; null for CSR, which needs none. Beyond the index at most
/// `free_bytes` are allocated; without any, one thread builds it.
std::shared_ptr<const row_index> index_rows(
    const operand&, const context&, index_t free_bytes = std::numeric_limits<index_t>::max());

template <class T, class I>
struct direct_rows {
  using column_type = I;
  index_view offsets;
  const I* columns = nullptr;
  const T* values = nullptr;
  index_t begin(index_t row) const { return offsets[row]; }
  index_t end(index_t row) const { return offsets[row + 1]; }
  index_t column(index_t p) const { return columns[p]; }
  const I* columns_from(index_t p) const { return columns + p; }
  T value(index_t p) const { return values[p]; }
  static constexpr bool contiguous() { return true; }  // the values of a row
  index_t entries() const { return offsets[offsets.size() - 1]; }
  /// Prefetches what a later visit to `row` will read.
  void prefetch_offsets(index_t row) const {
    __builtin_prefetch(static_cast<const char*>(offsets.data()) + row * bytes(offsets.width()));
  }
  void prefetch_row(index_t row) const {
    const index_t at = begin(row);
    __builtin_prefetch(columns + at);
    __builtin_prefetch(values + at);
  }
};

/// Rows of exactly one nonzero, as in an aggregation or a permutation: row k has nonzero k.
template <class T, class I>
struct single_rows {
  using column_type = I;
  const I* columns = nullptr;
  const T* values = nullptr;
  index_t begin(index_t row) const { return row; }
  index_t end(index_t row) const { return row + 1; }
  index_t column(index_t p) const { return columns[p]; }
  const I* columns_from(index_t p) const { return columns + p; }
  T value(index_t p) const { return values[p]; }
  static constexpr bool contiguous() { return true; }
  void prefetch_offsets(index_t) const {}
  void prefetch_row(index_t row) const {
    __builtin_prefetch(columns + row);
    __builtin_prefetch(values + row);
  }
};

/// Prefetches the rows of B that nonzeros of A soon after nonzero k refer to, also for later rows
/// of A; `entries` is nnz(A).
template <class RowsA, class RowsB>
[[gnu::always_inline]] inline void prefetch_rows(const RowsA& a, const RowsB& b, index_t k,
                                                 index_t entries) {
  // docs/notes/spgemm-adaptive.md, "Details".
  constexpr index_t offsets_ahead = 16, rows_ahead = 8;
  if (k + offsets_ahead >= entries) return;
  b.prefetch_offsets(a.column(k + offsets_ahead));
  b.prefetch_row(a.column(k + rows_ahead));
}

}  // namespace gossamer
