// Rows of C = A B with a per-row choice: sorted in vector registers (sorted_row.hpp), accumulated
// densely under a bitmap (bitmap_spa.hpp) using B's contiguous columns (contiguous_columns.hpp), or
// copied. docs/kernels/spgemm-adaptive.md describes the choice and its measurements.
#pragma once

#include <optional>

#include "kernels/spgemm/accumulators/bitmap_spa.hpp"
#include "kernels/spgemm/adaptive/contiguous_columns.hpp"
#include "kernels/spgemm/adaptive/sorted_row.hpp"
#include "kernels/spgemm/frame/row_store.hpp"
#include "kernels/spgemm/frame/two_phases.hpp"

namespace gossamer {

/// The operands of a product by rows, shared by all threads.
template <class T, class RowsA, class RowsB>
struct row_product {
  using value_type = T;
  using column_type = typename RowsB::column_type;
  using accumulator = bitmap_spa<column_type, T>;
  const RowsA& a;
  const RowsB& b;
  const contiguous_columns& clusters;  // contiguous columns of B
  extents result;
  index_t b_rows = 0;
  index_t longest_sorted = 0;  // rows with at most this many multiplications are sorted
  index_t a_entries = result.rows > 0 ? a.end(result.rows - 1) : 0;
  run_adder<T> add_runs = select(run_adders<T>());

  void add(index_t row, accumulator& sums) const {
    if (clusters.words)
      visit_known(row, sums, [&](index_t from) { sums.mark(*clusters.words, from); });
    else
      visit(row, [&](index_t k, index_t from) { sums.add(b, from, a.value(k)); });
  }
  /// Adds a row when the columns are known already.
  void add_known(index_t row, accumulator& sums) const {
    visit_known(row, sums, [](index_t) {});
  }
  /// Marks the columns of a row without adding.
  void mark(index_t row, accumulator& seen) const {
    if (clusters.words)
      visit(row, [&](index_t, index_t from) { seen.mark(*clusters.words, from); });
    else
      visit(row, [&](index_t, index_t from) { seen.mark(b, from); });
  }
  index_t products(index_t row) const { return detail::products_of(a, b, row); }

 private:
  template <class F>
  void visit_known(index_t row, accumulator& sums, F&& f) const {
    if constexpr (requires { b.entries(); })
      if (clusters.runs)
        return visit(row, [&](index_t k, index_t from) {
          sums.add_known(b, *clusters.runs, add_runs, from, a.value(k));
          f(from);
        });
    visit(row, [&](index_t k, index_t from) {
      sums.add_known(b, from, a.value(k));
      f(from);
    });
  }
  /// Calls f(nonzero of A, row of B) for a row of A.
  template <class F>
  void visit(index_t row, F&& f) const {
    const index_t end = a.end(row);
    for (index_t k = a.begin(row); k < end; ++k) {
      prefetch_rows(a, b, k, a_entries);
      f(k, a.column(k));
    }
  }
};

/// The accumulators of one thread.
template <class Product>
class row_maker {
 public:
  using T = typename Product::value_type;
  using I = typename Product::column_type;

  row_maker(const Product& of, std::shared_ptr<memory_resource> source)
      : of_(of), few_(of.result.cols), source_(std::move(source)) {
    most_listed_ = std::min(of.longest_sorted, few_.most());
    // Only rows of A that seem to have at most this many multiplications are tried.
    const index_t b_entries = of.b_rows > 0 ? of.b.end(of.b_rows - 1) : 0;
    most_own_ = b_entries > 0 ? most_listed_ * of.b_rows / b_entries : 0;
  }

  /// Appends the row to `out` and returns its nonzeros; returns -1, without computing it, for a row
  /// of more than `longest` multiplications.
  index_t write(index_t row, index_t longest, T alpha, row_writer<I, T>& out) {
    const index_t own = entries_of_a(row);
    if (own > 1 && list(row)) {
      const auto [columns, values] = out.reserve(row, few_.count());
      const index_t entries = few_.take(columns, values, few_.count(), alpha);
      out.give_back(few_.count() - entries);
      return entries;
    }
    const index_t products = of_.products(row), most = std::min(products, of_.result.cols);
    if (products > longest) return -1;
    const auto [columns, values] = out.reserve(row, most);
    if (own == 1 && products == most && copy(row, alpha, columns, values)) return most;
    of_.add(row, sums());
    const index_t entries = sums().take(columns, values, alpha);
    out.give_back(most - entries);
    return entries;
  }

  index_t count(index_t row) {
    if (list(row)) return few_.entries();
    of_.mark(row, sums());
    return sums().count();
  }
  template <class J>
  void write_columns(index_t row, J* columns) {
    of_.mark(row, sums());
    sums().take_columns(columns);
  }
  /// Writes the row to memory of exactly its size.
  template <class J>
  void fill(index_t row, index_t entries, T alpha, J* columns, T* values) {
    if (list(row)) {
      few_.take(columns, values, entries, alpha);
    } else {
      of_.add(row, sums());
      sums().take(columns, values, alpha);
    }
  }
  template <class J>
  void fill_known(index_t row, index_t entries, T alpha, const J* known, T* values) {
    of_.add_known(row, sums());
    sums().take_known(known, entries, values, alpha);
  }

 private:
  index_t entries_of_a(index_t row) const { return of_.a.end(row) - of_.a.begin(row); }
  bool list(index_t row) {
    return entries_of_a(row) <= most_own_ &&
           few_.list(of_.a, of_.b, row, of_.a_entries, most_listed_);
  }
  /// Allocated on first use: where all rows are short, it never is.
  bitmap_spa<I, T>& sums() {
    if (!sums_) sums_.emplace(of_.result.cols, source_);
    return *sums_;
  }
  /// Copies and scales a row of B when A's row has one nonzero and the columns ascend.
  bool copy(index_t row, T alpha, I* columns, T* values) const {
    const index_t k = of_.a.begin(row), from = of_.a.column(k), begin = of_.b.begin(from);
    const T factor = of_.a.value(k);
    index_t before = -1;
    bool ascending = true;
    for (index_t q = begin; q < of_.b.end(from); ++q) {
      const index_t column = of_.b.column(q);
      ascending &= column > before;
      before = column;
      columns[q - begin] = static_cast<I>(column);
      values[q - begin] = alpha * (T{0} + factor * of_.b.value(q));
    }
    return ascending;
  }

  const Product& of_;
  sorted_row<T> few_;
  index_t most_listed_ = 0, most_own_ = 0;
  std::shared_ptr<memory_resource> source_;
  std::optional<bitmap_spa<I, T>> sums_;
};

}  // namespace gossamer
