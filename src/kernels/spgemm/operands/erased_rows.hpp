// Rows of an operand whose index width, and whether it is walked through an index, are found at run
// time: fewer types to compile for, at the price of a branch that is always taken the same way.
#pragma once

#include "kernels/spgemm/operands/row_access.hpp"

namespace gossamer {

/// A, of which a product reads each entry once: any width, any order.
template <class T>
struct any_rows {
  index_view offsets, columns;
  const index_t* positions = nullptr;  // of the values; null: in the order of the columns
  const T* values = nullptr;
  index_t begin(index_t row) const { return offsets[row]; }
  index_t end(index_t row) const { return offsets[row + 1]; }
  index_t column(index_t p) const { return columns[p]; }
  T value(index_t p) const { return values[positions ? positions[p] : p]; }
};

/// B with 64-bit columns, its own or those of an index.
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
  void fetch_offsets(index_t row) const {
    __builtin_prefetch(static_cast<const char*>(offsets.data()) + row * bytes(offsets.width()));
  }
  void fetch_entries(index_t row) const {
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

/// f(rows) with 32-bit columns, or with 64-bit ones.
template <class T, class F>
decltype(auto) with_rows_by_width(const any_rows<T>& rows, F&& f) {
  if (rows.columns.width() == index_width::i32)
    return f(direct_rows<T, std::int32_t>{
        rows.offsets, static_cast<const std::int32_t*>(rows.columns.data()), rows.values});
  return f(wide_rows<T>{rows.offsets, static_cast<const index_t*>(rows.columns.data()),
                        rows.positions, rows.values});
}

}  // namespace gossamer
