// C = alpha A B by rows with a heap (Azad et al. 2016): a row of C is the merge of the rows of B
// that a row of A refers to. The heap holds the next nonzero of each, so columns come out in order;
// ties are broken by the order of A's nonzeros, so results are bitwise reproducible for any number
// of threads. Rows of B with unsorted columns are sorted first.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.hpp"
#include "kernels/spgemm/frame/two_phases.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

template <class I, class T>
class heap_maker {
 public:
  heap_maker(extents, const std::shared_ptr<memory_resource>& source) : source_(source) {}

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

  /// A heap is as large as a row of A, and unsorted rows of B need a list of their positions.
  static index_t bytes(const problem& p) {
    if (!p.spgemm.counted) return 0;  // negligible next to the rest
    return p.spgemm.counted->longest_a_row * index_t{sizeof(cursor)} +
           (p.spgemm.counted->b_ascends
                ? 0
                : p.spgemm.counted->most_products * index_t{sizeof(index_t)});
  }

 private:
  /// The next nonzero of one row of B.
  struct cursor {
    index_t column = 0, run = 0;  // run: index of the nonzero in A's row, to break ties
    index_t at = 0, end = 0;
    friend bool operator<(const cursor& x, const cursor& y) {
      return x.column != y.column ? x.column > y.column : x.run > y.run;  // least on top
    }
  };

  /// Calls f(column, term) with columns ascending; equal ones in the order of A's nonzeros.
  template <class RowsA, class RowsB, class F>
  void merge(const RowsA& a, const RowsB& b, index_t row, F&& f) {
    const index_t first = a.begin(row);
    make_room(heap_, a.end(row) - first);
    cursor* const heap = heap_.data();
    index_t runs = 0, sorted = 0;
    for (index_t k = first; k < a.end(row); ++k) {
      const index_t from = a.column(k);
      if (b.begin(from) == b.end(from)) continue;
      cursor source{0, k - first, b.begin(from), b.end(from)};
      if (!ascends(b, source)) {
        if (sorted == 0) make_room(sorted_, detail::products_of(a, b, row));
        sort_run(b, source, sorted);
      }
      source.column = b.column(position(source));
      heap[runs++] = source;
    }
    std::make_heap(heap, heap + runs);
    while (runs > 0) {
      std::pop_heap(heap, heap + runs);
      cursor& next = heap[runs - 1];
      const index_t q = position(next);
      f(next.column, a.value(first + next.run) * b.value(q));
      if (++next.at == next.end) {
        --runs;
      } else {
        next.column = b.column(position(next));
        std::push_heap(heap, heap + runs);
      }
    }
  }

  /// Positions in B are nonnegative; those of rows that had to be sorted are kept in `sorted_` and
  /// marked by a negative sign.
  index_t position(const cursor& c) const { return c.at >= 0 ? c.at : sorted_[c.at - smallest]; }

  template <class RowsB>
  static bool ascends(const RowsB& b, const cursor& c) {
    bool ascending = true;
    for (index_t q = c.at + 1; q < c.end; ++q) ascending &= b.column(q - 1) <= b.column(q);
    return ascending;
  }

  /// Sorts the run, stably, after the `sorted` positions that are in use.
  template <class RowsB>
  void sort_run(const RowsB& b, cursor& c, index_t& sorted) {
    index_t* const begin = sorted_.data() + sorted;
    index_t* const end = begin + (c.end - c.at);
    std::iota(begin, end, c.at);
    std::sort(begin, end, [&](index_t x, index_t y) {
      return b.column(x) != b.column(y) ? b.column(x) < b.column(y) : x < y;
    });
    c.at = smallest + sorted;
    sorted += end - begin;
    c.end = smallest + sorted;
  }

  template <class U>
  void make_room(buffer<U>& list, index_t count) {
    if (list.size() >= count) return;
    list = {};  // frees the old list before the new one is allocated
    list = buffer<U>(count, source_);
  }

  static constexpr index_t smallest = std::numeric_limits<index_t>::min();
  std::shared_ptr<memory_resource> source_;
  buffer<cursor> heap_;
  buffer<index_t> sorted_;
};

verdict consider(const problem& p, const machine&) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const double flop = static_cast<double>(p.spgemm.flop);
  const double runs = costs::mean_row(p);
  // Most multiplications are in long rows: where those are known they determine the depth of the
  // heap.
  const double longest =
      p.spgemm.counted ? static_cast<double>(p.spgemm.counted->longest_a_row) : runs;
  const double depth = std::log2(std::max(2.0, longest));
  const auto [team, held] = team_within(p, maker_bytes<heap_maker>(p));
  const double each = costs::heap_step * depth * flop / team;
  return {.possible = true,
          .prepare_seconds = p.spgemm.counted ? 0 : costs::phase_share * each,
          .run_seconds = costs::phase_share * each,
          .bytes = held,
          .because = p.reason([&] {
            return formatted(
                "{} multiplications by merging about {:.0f} rows of B at a time with a heap",
                count_text(p.spgemm.flop), runs);
          })};
}

}  // namespace

extern const kernel spgemm_csr_heap_openmp;
const kernel spgemm_csr_heap_openmp{
    .id = "spgemm/csr/heap/openmp",
    .summary = "merges rows of B with a heap; symbolic and numeric phase",
    .reference = "Azad et al. 2016; Gu et al. 2020 (HeapSpGEMM)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare_rows<heap_maker>,
    .run = run_rows<heap_maker>};

}  // namespace gossamer
