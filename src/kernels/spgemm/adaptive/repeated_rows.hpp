// Repeated rows of C = A B, equal to an earlier row up to a shift: stencils, bands, aggregations of
// grids. They are found by comparing structures (repeated_rows.cpp), counted without visiting a
// multiplication, and filled by their pattern (row_pattern.hpp).
#pragma once

#include "kernels/spgemm/adaptive/adaptive_rows.hpp"
#include "kernels/spgemm/adaptive/intern_table.hpp"
#include "kernels/spgemm/adaptive/row_pattern.hpp"

namespace gossamer {

/// The patterns of the rows of C.
struct row_patterns {
  static constexpr std::uint16_t none = 0xFFFF;
  buffer<std::uint16_t> of_row;
  intern_table<row_pattern> table;
  index_t bytes() const {
    index_t all = of_row.size() * index_t{sizeof(std::uint16_t)};
    for (int id = 0; id < table.size(); ++id) all += table[id].bytes();
    return all;
  }
};

/// Finds patterns if rows of C seem to repeat, for vectors of `lanes` sums, and sets entries[row]
/// to the nonzeros of each row that has one. Returns null otherwise.
template <class RowsA, class RowsB>
std::unique_ptr<row_patterns> find_patterns(const RowsA& a, const RowsB& b, const problem& p,
                                            int lanes, index_t* entries, int team,
                                            const context& where);

/// Access to the structure alone, so that one instantiation finds patterns for all value types.
template <class T, class I>
direct_rows<double, I> structure_of(const direct_rows<T, I>& rows) {
  return {rows.offsets, rows.columns, nullptr};
}
template <class T, class I>
single_rows<double, I> structure_of(const single_rows<T, I>& rows) {
  return {rows.columns, nullptr};
}
template <class T>
any_rows<double> structure_of(const any_rows<T>& rows) {
  return {rows.offsets, rows.columns};
}
template <class T>
wide_rows<double> structure_of(const wide_rows<T>& rows) {
  return {rows.offsets, rows.columns};
}

/// Calls find_patterns for any product.
template <class Product>
std::unique_ptr<row_patterns> patterns_of(const Product& of, const problem& p, index_t* entries,
                                          int team, const context& where) {
  if (!of.b.contiguous()) return nullptr;  // patterns add whole rows of values
  return find_patterns(structure_of(of.a), structure_of(of.b), p,
                       step_lanes<typename Product::value_type>(), entries, team, where);
}

/// Fills rows by their patterns; one per thread.
template <class T, class J>
class pattern_maker {
 public:
  template <class RowsA, class RowsB>
  void fill(const row_pattern& pattern, const RowsA& a, const RowsB& b, index_t row, T alpha,
            J* columns, T* values) {
    const index_t begin = a.begin(row), count = a.end(row) - begin;
    const index_t base = count > 0 ? b.column(b.begin(a.column(begin))) : 0;
    if (pattern.steps.empty()) {
      place(pattern, base, columns, values);
      sum(pattern, a, b, row, values);
      if (alpha != T{1})
        for (index_t k = 0; k < pattern.entries(); ++k) values[k] *= alpha;
      return;
    }
    if (static_cast<index_t>(rows_.size()) < count) {
      rows_.resize(static_cast<std::size_t>(count));
      factors_.resize(static_cast<std::size_t>(count));
    }
    for (index_t k = 0; k < count; ++k)
      rows_[static_cast<std::size_t>(k)] = b.values + b.begin(a.column(begin + k));
    const T* factors = factors_.data();
    if (a.contiguous())
      factors = a.values + begin;
    else
      for (index_t k = 0; k < count; ++k)
        factors_[static_cast<std::size_t>(k)] = a.value(begin + k);
    take_steps_(pattern, factors, rows_.data(), alpha, base, columns, values);
  }

 private:
  static void place(const row_pattern& pattern, index_t base, J* columns, T* values) {
    const std::int32_t* const from = pattern.columns.data();
    const index_t entries = pattern.entries();
    for (index_t k = 0; k < entries; ++k) {
      columns[k] = static_cast<J>(base + from[k]);
      values[k] = 0;
    }
  }
  /// Adds one multiplication at a time.
  template <class RowsA, class RowsB>
  static void sum(const row_pattern& pattern, const RowsA& a, const RowsB& b, index_t row,
                  T* values) {
    const std::uint16_t* place = pattern.places.data();
    const index_t end = a.end(row);
    for (index_t k = a.begin(row); k < end; ++k) {
      const index_t from = a.column(k), end_of_row = b.end(from);
      const T factor = a.value(k);
      for (index_t q = b.begin(from); q < end_of_row; ++q) values[*place++] += factor * b.value(q);
    }
  }

  step_filler<T, J> take_steps_ = select(step_fillers<T, J>());
  std::vector<const T*> rows_;
  std::vector<T> factors_;
};

}  // namespace gossamer
