// Access to rows of an operand whose index width and indirection are run-time properties: fewer
// types to compile, at the price of a well-predicted branch.
#pragma once

#include "kernels/spgemm/operands/row_access.hpp"

namespace gossamer {

/// Rows of A, whose nonzeros a product reads once: any width, any order.
template <class T>
struct any_rows {
  index_view offsets, columns;
  const index_t* positions = nullptr;  // positions of the values; null: same order as the columns
  const T* values = nullptr;
  index_t begin(index_t row) const { return offsets[row]; }
  index_t end(index_t row) const { return offsets[row + 1]; }
  index_t column(index_t p) const { return columns[p]; }
  T value(index_t p) const { return values[positions ? positions[p] : p]; }
  bool contiguous() const { return !positions; }
};

/// Rows of B with 64-bit columns, its own or those of an index.
template <class T>
struct wide_rows {
  using column_type = index_t;
  index_view offsets;
  const index_t* columns = nullptr;
  const index_t* positions = nullptr;
  const T* values = nullptr;
  index_t begin(index_t row) const { return offsets[row]; }
  index_t end(index_t row) const { return offsets[row + 1]; }
  index_t column(index_t p) const { return columns[p]; }
  const index_t* columns_from(index_t p) const { return columns + p; }
  T value(index_t p) const { return values[positions ? positions[p] : p]; }
  bool contiguous() const { return !positions; }
  index_t entries() const { return offsets[offsets.size() - 1]; }
  void prefetch_offsets(index_t row) const {
    __builtin_prefetch(static_cast<const char*>(offsets.data()) + row * bytes(offsets.width()));
  }
  void prefetch_row(index_t row) const {
    const index_t at = begin(row);
    __builtin_prefetch(columns + at);
    __builtin_prefetch(positions ? static_cast<const void*>(positions + at) : values + at);
  }
};

template <scalar T>
any_rows<T> erased_rows(const operand& o, const row_index* index) {
  const auto& view = std::get<expression<T>>(o).view;
  if (const auto* csr = std::get_if<csr_view<const T>>(&view))
    return {csr->offsets, csr->columns, nullptr, csr->values};
  return {{index->offsets.data(), index->offsets.size()},
          {index->columns.data(), index->columns.size()},
          index->positions.data(),
          std::get<csc_view<const T>>(view).values};
}

/// Rows of CSR with 32-bit columns, and all others as B.
template <class T>
direct_rows<T, std::int32_t> narrow_rows(const any_rows<T>& rows) {
  return {rows.offsets, static_cast<const std::int32_t*>(rows.columns.data()), rows.values};
}
template <class T>
wide_rows<T> widest_rows(const any_rows<T>& rows) {
  return {rows.offsets, static_cast<const index_t*>(rows.columns.data()), rows.positions,
          rows.values};
}

/// f(rows of A): direct_rows with 32-bit columns, or any_rows.
template <class T, class F>
void with_rows_of_a(const any_rows<T>& rows, F&& f) {
  rows.columns.width() == index_width::i32 ? f(narrow_rows(rows)) : f(rows);
}

/// f(rows of B): direct_rows with 32-bit columns, or wide_rows.
template <class T, class F>
void with_rows_of_b(const any_rows<T>& rows, F&& f) {
  rows.columns.width() == index_width::i32 ? f(narrow_rows(rows)) : f(widest_rows(rows));
}

/// f(rows of A, rows of B), in three pairs of types: with 64-bit columns in B, A is any_rows.
template <class T, class F>
void with_row_pair(const any_rows<T>& a, const any_rows<T>& b, F&& f) {
  if (b.columns.width() == index_width::i32)
    with_rows_of_a(a, [&](const auto& rows) { f(rows, narrow_rows(b)); });
  else
    f(a, widest_rows(b));
}

}  // namespace gossamer
