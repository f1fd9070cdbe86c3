// The judge: products computed from triplets in long double, and the bound a kernel must keep:
// |y - y_ref| <= (entries in the row + 4) * eps * sum |a||x|. NaN must be NaN, Inf the same Inf.
#pragma once

#include <cmath>
#include <map>
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

using sparse_rows = std::vector<std::map<index_t, judged_value>>;

/// A B with the structure of all products, cancelled ones included.
template <class T>
sparse_rows product(const std::vector<cases::triplet>& a, index_t rows,
                    const std::vector<cases::triplet>& b, index_t inner) {
  std::vector<std::vector<cases::triplet>> rows_of_b(static_cast<std::size_t>(inner));
  for (const auto& e : b) rows_of_b[static_cast<std::size_t>(e.row)].push_back(e);
  sparse_rows result(static_cast<std::size_t>(rows));
  for (const auto& e : a)
    for (const auto& f : rows_of_b[static_cast<std::size_t>(e.column)])
      result[static_cast<std::size_t>(e.row)][f.column].add(static_cast<T>(e.value),
                                                            static_cast<T>(f.value));
  return result;
}

}  // namespace gossamer::conformance
