// Rows with contiguous columns, as runs: a run is added to dense sums with vector instructions, a
// few for the whole run instead of a load, an add and a store per nonzero. The sums are bitwise the
// same.
#pragma once

#include "kernels/simd/select.hpp"
#include "kernels/spgemm/accumulators/row_lists.hpp"

namespace gossamer {

/// Columns first .. first + length - 1, one nonzero each.
struct column_run {
  std::int32_t first = 0, length = 0;
};

/// Adds factor * value to sums[column] for all runs of a row; `values` are those of its nonzeros,
/// in order. Reads and writes up to `beyond_a_run` more sums than there are, and values up to
/// `last_value`.
template <class T>
using run_adder = void (*)(const column_run* runs, index_t count, const T* values,
                           const T* last_value, T factor, T* sums);
inline constexpr index_t beyond_a_run = 8;

/// There is no portable variant: without vectors, runs are no faster than single nonzeros.
template <class T>
variants<run_adder<T>> run_adders();

struct column_runs {
  buffer<index_t> offsets;  // rows + 1
  buffer<column_run> runs;
  index_t bytes() const {
    return offsets.size() * index_t{sizeof(index_t)} + runs.size() * index_t{sizeof(column_run)};
  }
};

namespace detail {

template <class Rows, class F>
void for_each_run(const Rows& rows, index_t row, F&& f) {
  const index_t end = rows.end(row);
  for (index_t q = rows.begin(row); q < end;) {
    const index_t first = rows.column(q);
    index_t length = 1;
    while (q + length < end && rows.column(q + length) == first + length) ++length;
    f(column_run{static_cast<std::int32_t>(first), static_cast<std::int32_t>(length)});
    q += length;
  }
}

}  // namespace detail

template <class Rows>
column_runs find_runs(const Rows& b, index_t rows, const context& where) {
  const auto visit = [&](index_t row, auto&& f) { detail::for_each_run(b, row, f); };
  column_runs result;
  result.offsets = list_offsets(rows, where, visit);
  result.runs = buffer<column_run>(result.offsets[rows], where.memory());
  write_lists(result.offsets, where, visit,
              [&](index_t at, column_run run) { result.runs[at] = run; });
  return result;
}

}  // namespace gossamer
