// Rows of C in a table: how the hash kernels walk the products of a row. A table has
//   void touch(const I* columns, index_t count);
//   void add(const I* columns, index_t count, product);   // product(k) to the sum of columns[k]
#pragma once

#include "kernels/shared/row_access.hpp"

namespace gossamer {

template <class Table, class RowsA, class RowsB>
void touch_row(Table& table, const RowsA& a, const RowsB& b, index_t row, index_t entries) {
  const index_t end = a.end(row);
  for (index_t k = a.begin(row); k < end; ++k) {
    fetch_ahead(a, b, k, entries);
    const index_t first = b.begin(a.column(k));
    table.touch(b.columns_from(first), b.end(a.column(k)) - first);
  }
}

template <class Table, class RowsA, class RowsB>
void add_row(Table& table, const RowsA& a, const RowsB& b, index_t row, index_t entries) {
  const index_t end = a.end(row);
  for (index_t k = a.begin(row); k < end; ++k) {
    fetch_ahead(a, b, k, entries);
    const auto factor = a.value(k);
    const index_t first = b.begin(a.column(k));
    table.add(b.columns_from(first), b.end(a.column(k)) - first,
              [&](index_t q) { return factor * b.value(first + q); });
  }
}

}  // namespace gossamer
