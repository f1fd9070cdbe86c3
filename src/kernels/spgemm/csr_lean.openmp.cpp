// C = alpha A B by rows in C itself, for tight memory limits: the distinct columns of a row are
// written to their final position in C (column_set.hpp, at most 32 KB per thread) and sorted there;
// then every multiplication finds its sum by binary search. Sums start at zero and are added in the
// order of the multiplications, so results are bitwise those of the other kernels for any number of
// threads.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "kernels/spgemm/accumulators/column_set.hpp"
#include "kernels/spgemm/frame/two_phases.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

template <class I, class T>
class lean_maker {
 public:
  lean_maker(extents result, const std::shared_ptr<memory_resource>& source)
      : result_(result), set_(result.cols, column_set::least_bytes(result.cols), source) {}

  template <class RowsA, class RowsB>
  index_t count(const RowsA& a, const RowsB& b, index_t row, index_t) {
    return set_.count(a, b, row, a.end(result_.rows - 1));
  }

  template <class RowsA, class RowsB, class J>
  void write(const RowsA& a, const RowsB& b, index_t row, index_t entries, J* columns, T* values,
             T alpha) {
    index_t found = 0;
    set_.for_each(a, b, row, a.end(result_.rows - 1),
                  [&](index_t column) { columns[found++] = static_cast<J>(column); });
    if (!std::is_sorted(columns, columns + entries)) std::sort(columns, columns + entries);
    std::fill_n(values, entries, T{0});
    const index_t last = a.end(row), a_entries = a.end(result_.rows - 1);
    for (index_t k = a.begin(row); k < last; ++k) {
      prefetch_rows(a, b, k, a_entries);
      const T factor = a.value(k);
      const index_t end = b.end(a.column(k));
      J* at = columns;
      for (index_t q = b.begin(a.column(k)); q < end; ++q) {
        const J column = static_cast<J>(b.column(q));
        // Columns of B mostly ascend: only the rest of the row is searched.
        at = std::lower_bound(column < *at ? columns : at, columns + entries, column);
        values[at - columns] += factor * b.value(q);
      }
    }
    for (index_t k = 0; k < entries; ++k) values[k] *= alpha;
  }

  static index_t bytes(const problem& p) { return column_set::least_bytes(p.result.cols); }

 private:
  extents result_;
  column_set set_;
};

verdict consider(const problem& p, const machine&) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const double flop = static_cast<double>(p.spgemm.flop), rows = static_cast<double>(p.result.rows);
  const double depth = std::log2(std::max(2.0, flop / std::max(1.0, rows)));
  const auto [team, held] = team_within(p, maker_bytes<lean_maker>(p));
  const double mark = costs::spa_product * flop / team;
  return {.possible = true,
          .prepare_seconds = p.spgemm.counted ? 0 : mark,
          .run_seconds = mark + (costs::sort_entry + costs::search_step * depth) * flop / team,
          .bytes = held,
          .because = p.reason([&] {
            return formatted("{} multiplications accumulated in C itself by binary search",
                             count_text(p.spgemm.flop));
          })};
}

}  // namespace

extern const kernel spgemm_csr_lean_openmp;
const kernel spgemm_csr_lean_openmp{
    .id = "spgemm/csr/lean/openmp",
    .summary = "accumulates in C itself by binary search; almost no memory besides C",
    .reference = "docs/guide/memory-limits.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare_rows<lean_maker>,
    .run = run_rows<lean_maker>};

}  // namespace gossamer
