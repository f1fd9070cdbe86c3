// Rows of C in a hash table: how the hash kernels traverse the multiplications of a row. A table
// has
//   void touch(const I* columns, index_t count);
//   void add(const I* columns, index_t count, product);   // adds product(k) to the sum of
// columns[k]
#pragma once

#include "base/text.hpp"
#include "kernels/spgemm/frame/counted_rows.hpp"
#include "kernels/spgemm/frame/sparse_result.hpp"
#include "plan/costs.hpp"

namespace gossamer {

template <class Table, class RowsA, class RowsB>
void touch_row(Table& table, const RowsA& a, const RowsB& b, index_t row, index_t entries) {
  const index_t end = a.end(row);
  for (index_t k = a.begin(row); k < end; ++k) {
    prefetch_rows(a, b, k, entries);
    const index_t first = b.begin(a.column(k));
    table.touch(b.columns_from(first), b.end(a.column(k)) - first);
  }
}

template <class Table, class RowsA, class RowsB>
void add_row(Table& table, const RowsA& a, const RowsB& b, index_t row, index_t entries,
             bool conjugate_a = false) {
  const index_t end = a.end(row);
  for (index_t k = a.begin(row); k < end; ++k) {
    prefetch_rows(a, b, k, entries);
    const auto factor = conjugated_if(conjugate_a, a.value(k));
    const index_t first = b.begin(a.column(k));
    table.add(b.columns_from(first), b.end(a.column(k)) - first,
              [&](index_t q) { return times(factor, b.value(first + q)); });
  }
}

/// Columns of the longest row a table must hold.
inline index_t longest_row_of(const problem& p) {
  return p.spgemm.counted ? p.spgemm.counted->longest_row : std::min(p.spgemm.flop, p.result.cols);
}

/// The verdict of a kernel with a table: `product` seconds per insertion, `each` bytes per thread.
inline verdict consider_table(const problem& p, double product, index_t each,
                              std::string_view table) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const auto [threads, bytes] = team_within(p, each);
  const double flop = static_cast<double>(p.spgemm.flop);
  const bool indexed = p.a.format == format::csc || p.b.format == format::csc;
  return {
      .possible = true,
      .prepare_seconds = p.spgemm.counted ? 0 : costs::symbolic_share * product * flop / threads,
      .run_seconds = (costs::numeric_share * product + costs::sorted_share * costs::sort_entry) *
                     flop / threads,
      .bytes = bytes,
      .because = p.reason([&] {
        return formatted("{} multiplications into a hash table {}, columns sorted per row{}",
                         count_text(p.spgemm.flop), table,
                         indexed ? ", a transposed operand read through an index" : "");
      })};
}

}  // namespace gossamer
