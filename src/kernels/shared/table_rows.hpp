// Rows of C in a table: how the hash kernels walk the products of a row. A table has
//   void touch(const I* columns, index_t count);
//   void add(const I* columns, index_t count, product);   // product(k) to the sum of columns[k]
#pragma once

#include "gossamer/types.hpp"

namespace gossamer {

namespace detail {

/// f(entry of A, first entry and length of its row of B) for a row of A. What comes soon, also for
/// the rows after this one, is put on its way to the cache; `entries` is the number A has.
template <class RowsA, class RowsB, class F>
void for_each_run(const RowsA& a, const RowsB& b, index_t row, index_t entries, F&& f) {
  constexpr index_t offsets_ahead = 16, rows_ahead = 8;
  const index_t end = a.end(row);
  for (index_t k = a.begin(row); k < end; ++k) {
    if (k + offsets_ahead < entries) {
      b.fetch_offsets(a.column(k + offsets_ahead));
      b.fetch_entries(a.column(k + rows_ahead));
    }
    const index_t first = b.begin(a.column(k));
    f(k, first, b.end(a.column(k)) - first);
  }
}

}  // namespace detail

template <class Table, class RowsA, class RowsB>
void touch_row(Table& table, const RowsA& a, const RowsB& b, index_t row, index_t entries) {
  detail::for_each_run(a, b, row, entries, [&](index_t, index_t first, index_t count) {
    table.touch(b.columns_from(first), count);
  });
}

template <class Table, class RowsA, class RowsB>
void add_row(Table& table, const RowsA& a, const RowsB& b, index_t row, index_t entries) {
  detail::for_each_run(a, b, row, entries, [&](index_t k, index_t first, index_t count) {
    const auto factor = a.value(k);
    table.add(b.columns_from(first), count, [&](index_t q) { return factor * b.value(first + q); });
  });
}

}  // namespace gossamer
