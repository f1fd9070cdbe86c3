// C = alpha A B by rows with a heap (Azad et al. 2016): a row of C is the merge of the rows of B
// that a row of A names. The heap holds the next entry of each, so columns come out in order and
// equal ones meet; ties are taken in the order of A's entries, so the sums, too, are the same for
// any number of threads. Rows of B whose columns do not ascend are put in order first.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/text.hpp"
#include "kernels/shared/row_phases.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

template <class I, class T>
class heap_maker {
 public:
  heap_maker(extents, const std::shared_ptr<memory_resource>&) {}

  template <class RowsA, class RowsB>
  index_t count(const RowsA& a, const RowsB& b, index_t row, index_t) {
    index_t found = 0, before = -1;
    merge(a, b, row, [&](index_t column, T) { found += std::exchange(before, column) != column; });
    return found;
  }

  template <class RowsA, class RowsB, class J>
  void write(const RowsA& a, const RowsB& b, index_t row, index_t entries, J* columns, T* values,
             T alpha) {
    index_t at = -1, before = -1;
    merge(a, b, row, [&](index_t column, T product) {
      if (std::exchange(before, column) != column) {
        columns[++at] = static_cast<J>(column);
        values[at] = T{0};
      }
      values[at] += product;
    });
    for (index_t k = 0; k < entries; ++k) values[k] *= alpha;
  }

  /// A heap is as large as a row of A: nothing, next to the rest.
  static index_t bytes(const problem&) { return 0; }

 private:
  /// The next entry of one row of B.
  struct cursor {
    index_t column = 0, run = 0;  // run: which entry of A's row, to break ties
    index_t at = 0, end = 0;
    friend bool operator<(const cursor& x, const cursor& y) {
      return x.column != y.column ? x.column > y.column : x.run > y.run;  // least on top
    }
  };

  /// f(column, product) with columns ascending; equal ones in the order of A's entries.
  template <class RowsA, class RowsB, class F>
  void merge(const RowsA& a, const RowsB& b, index_t row, F&& f) {
    heap_.clear();
    sorted_.clear();
    const index_t first = a.begin(row);
    for (index_t k = first; k < a.end(row); ++k) push_row(b, a.column(k), k - first);
    std::make_heap(heap_.begin(), heap_.end());
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end());
      cursor& next = heap_.back();
      const index_t q = position(next);
      f(next.column, a.value(first + next.run) * b.value(q));
      if (++next.at == next.end) {
        heap_.pop_back();
      } else {
        next.column = b.column(position(next));
        std::push_heap(heap_.begin(), heap_.end());
      }
    }
  }

  /// Places in B are plain numbers; those of rows that had to be sorted are kept in `sorted_` and
  /// told apart by their sign.
  index_t position(const cursor& c) const {
    return c.at >= 0 ? c.at : sorted_[static_cast<std::size_t>(c.at - smallest)];
  }

  template <class RowsB>
  void push_row(const RowsB& b, index_t from, index_t run) {
    index_t begin = b.begin(from), end = b.end(from);
    if (begin == end) return;
    bool ascending = true;
    for (index_t q = begin + 1; q < end; ++q) ascending &= b.column(q - 1) <= b.column(q);
    if (!ascending) {
      const auto base = sorted_.size();
      sorted_.resize(base + static_cast<std::size_t>(end - begin));
      std::iota(sorted_.begin() + static_cast<std::ptrdiff_t>(base), sorted_.end(), begin);
      std::stable_sort(sorted_.begin() + static_cast<std::ptrdiff_t>(base), sorted_.end(),
                       [&](index_t x, index_t y) { return b.column(x) < b.column(y); });
      end = smallest + static_cast<index_t>(sorted_.size());
      begin = smallest + static_cast<index_t>(base);
    }
    cursor made{0, run, begin, end};
    made.column = b.column(position(made));
    heap_.push_back(made);
  }

  static constexpr index_t smallest = std::numeric_limits<index_t>::min();
  std::vector<cursor> heap_;
  std::vector<index_t> sorted_;
};

verdict consider(const problem& p, const machine&) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const double flop = static_cast<double>(p.flop);
  const double runs =
      static_cast<double>(p.a.nnz) / std::max(1.0, static_cast<double>(p.result.rows));
  const double depth = std::log2(std::max(2.0, runs));
  const int team = team_for_products(p.flop, p.threads);
  const double each = costs::heap_step * depth * flop / team;
  return {
      .possible = true,
      .prepare_seconds = 0.5 * each,
      .run_seconds = 0.5 * each,
      .bytes = 2 * (p.result.rows + 1) * index_t{sizeof(index_t)},
      .because = formatted("{} products by merging about {:.0f} rows of B at a time with a heap",
                           count_text(p.flop), runs)};
}

}  // namespace

extern const kernel spgemm_csr_heap_openmp;
const kernel spgemm_csr_heap_openmp{
    .id = "spgemm/csr/heap/openmp",
    .summary = "rows by merging rows of B with a heap, two phases, sorted output",
    .reference = "Azad et al. 2016; Gu et al. 2020 (HeapSpGEMM)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare_rows<heap_maker>,
    .run = run_rows<heap_maker>};

}  // namespace gossamer
