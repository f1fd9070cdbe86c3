// The judge: products computed from triplets in long double, and the bound a kernel must keep:
// |y - y_ref| <= (nonzeros in the row + 4) * eps * sum |a||x|. NaN must be NaN, Inf the same Inf.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "cases/cases.hpp"

namespace gossamer::conformance {

struct judged_value {
  long double value = 0;      ///< the exact-enough result
  long double magnitude = 0;  ///< sum of |terms|
  index_t terms = 0;

  template <class T>
  void add(T a, T x) {
    value += static_cast<long double>(a) * static_cast<long double>(x);
    magnitude += std::abs(static_cast<long double>(a) * static_cast<long double>(x));
    ++terms;
  }
};

template <class T>
bool acceptable(T found, const judged_value& wanted) {
  const auto expected = static_cast<T>(wanted.value);
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected)) return found == expected;
  const long double bound = static_cast<long double>(wanted.terms + 4) *
                            (std::numeric_limits<T>::epsilon() * wanted.magnitude +
                             static_cast<long double>(std::numeric_limits<T>::denorm_min()));
  return std::abs(static_cast<long double>(found) - wanted.value) <= bound;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), sizeof(T) * a.size()) == 0);
}

/// op(A) as triplets with values rounded to T: what a kernel is really given.
template <class T>
std::vector<cases::triplet> rounded(const cases::matrix_case& c, bool transposed) {
  auto entries = c.entries;
  for (auto& e : entries) {
    e.value = static_cast<double>(static_cast<T>(e.value));
    if (transposed) std::swap(e.row, e.column);
  }
  return entries;
}

using rows_of_triplets = std::vector<std::vector<cases::triplet>>;

inline rows_of_triplets by_rows(const std::vector<cases::triplet>& entries, index_t rows) {
  rows_of_triplets result(static_cast<std::size_t>(rows));
  for (const auto& e : entries) result[static_cast<std::size_t>(e.row)].push_back(e);
  return result;
}

/// Rows of columns, ascending, with what stands there.
template <class V>
using sparse_row = std::vector<std::pair<index_t, V>>;
template <class V>
using sparse_rows = std::vector<sparse_row<V>>;

/// A row in the making: a place for every column. Under sanitizers a map would take longer than the
/// kernels that it judges.
template <class V>
class row_of_places {
 public:
  explicit row_of_places(index_t columns)
      : values_(static_cast<std::size_t>(columns)), taken_(values_.size(), 0) {}

  struct place {
    V& value;
    bool fresh;  ///< nothing was put here before; the value is V{}
  };
  place at(index_t column) {
    const auto k = static_cast<std::size_t>(column);
    const bool fresh = taken_[k] == 0;
    if (fresh) taken_[k] = 1, columns_.push_back(column);
    return {values_[k], fresh};
  }
  /// The row, in order; all places are free again.
  sparse_row<V> finished() {
    std::sort(columns_.begin(), columns_.end());
    sparse_row<V> row;
    row.reserve(columns_.size());
    for (const index_t column : columns_) {
      const auto k = static_cast<std::size_t>(column);
      row.emplace_back(column, std::exchange(values_[k], V{}));
      taken_[k] = 0;
    }
    columns_.clear();
    return row;
  }

 private:
  std::vector<V> values_;
  std::vector<char> taken_;
  std::vector<index_t> columns_;
};

/// A B with the structure of all products, cancelled ones included.
template <class T>
sparse_rows<judged_value> product(const std::vector<cases::triplet>& a, index_t rows,
                                  const std::vector<cases::triplet>& b, extents b_shape) {
  const auto a_rows = by_rows(a, rows), b_rows = by_rows(b, b_shape.rows);
  sparse_rows<judged_value> result;
  row_of_places<judged_value> output(b_shape.cols);
  for (const auto& row : a_rows) {
    for (const auto& e : row)
      for (const auto& f : b_rows[static_cast<std::size_t>(e.column)])
        output.at(f.column).value.add(static_cast<T>(e.value), static_cast<T>(f.value));
    result.push_back(output.finished());
  }
  return result;
}

}  // namespace gossamer::conformance
