// The reference for conversions: lists of triplets, and matrices written out from them in any index
// width.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "formats/entries.hpp"
#include "gossamer/operand.hpp"

namespace gossamer::test {

struct triplet {
  index_t row = 0, column = 0;
  double value = 0;
};

/// Bits decide, so that NaN equals NaN and -0 differs from 0.
inline std::uint64_t bits(double value) {
  if (std::isnan(value)) return ~std::uint64_t{0};
  std::uint64_t result = 0;
  std::memcpy(&result, &value, sizeof value);
  return result;
}
inline bool operator==(const triplet& a, const triplet& b) {
  return a.row == b.row && a.column == b.column && bits(a.value) == bits(b.value);
}
inline std::ostream& operator<<(std::ostream& out, const triplet& t) {
  return out << '(' << t.row << ", " << t.column << ") " << t.value;
}

/// Triplets row by row, in the order a CSR matrix stores them.
struct matrix_case {
  std::string name;
  extents shape;
  std::vector<triplet> entries;
};

inline std::vector<triplet> random_entries(extents shape, index_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<triplet> entries;
  for (index_t k = 0; k < count; ++k) {
    const auto row = static_cast<index_t>(random() % static_cast<std::uint64_t>(shape.rows));
    const auto column = static_cast<index_t>(random() % static_cast<std::uint64_t>(shape.cols));
    entries.push_back({row, column, static_cast<double>(random() % 2001) / 8 - 125});
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const triplet& a, const triplet& b) { return a.row < b.row; });
  return entries;
}

inline std::vector<matrix_case> all_cases() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<triplet> dense_row{{0, 3, 1}, {4, 1, 2}};
  for (index_t j = 0; j < 40; ++j) dense_row.insert(dense_row.end() - 1, {2, j, 0.5 * double(j)});
  return {
      {"empty", {0, 0}, {}},
      {"no_entries", {5, 7}, {}},
      {"one_by_one", {1, 1}, {{0, 0, 3}}},
      {"no_rows", {0, 6}, {}},
      {"no_columns", {6, 0}, {}},
      {"empty_rows", {6, 4}, {{1, 0, 1}, {1, 3, 2}, {4, 2, 3}}},
      {"one_dense_row", {5, 40}, dense_row},
      {"rectangular", {3, 8}, {{0, 7, 1}, {1, 0, 2}, {1, 5, 3}, {2, 2, 4}}},
      {"unsorted_duplicates",
       {4, 5},
       {{0, 4, 1}, {0, 1, 2}, {0, 4, 3}, {2, 3, 4}, {2, 0, 5}, {2, 3, 6}, {2, 3, 7}, {3, 1, 8}}},
      {"explicit_zeros", {3, 3}, {{0, 0, 0.0}, {0, 2, 1}, {1, 1, -0.0}, {2, 0, 0.0}, {2, 1, 2}}},
      {"nan_and_inf", {3, 3}, {{0, 1, nan}, {0, 2, inf}, {1, 0, -inf}, {2, 2, nan}}},
      {"random", {57, 43}, random_entries({57, 43}, 400, 1)},
  };
}

/// Indices of a run-time width from plain numbers.
inline index_buffer indices(const std::vector<index_t>& numbers, index_width width) {
  index_buffer result(static_cast<index_t>(numbers.size()), width);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (width == index_width::i32)
      result.view().as<std::int32_t>()[k] = static_cast<std::int32_t>(numbers[k]);
    else
      result.view().as<std::int64_t>()[k] = numbers[k];
  }
  return result;
}

inline std::vector<index_t> numbers(index_view view) {
  std::vector<index_t> result;
  for (index_t k = 0; k < view.size(); ++k) result.push_back(view[k]);
  return result;
}

template <class T>
buffer<T> values_of(const std::vector<triplet>& entries) {
  buffer<T> values(static_cast<index_t>(entries.size()));
  for (std::size_t k = 0; k < entries.size(); ++k)
    values[static_cast<index_t>(k)] = static_cast<T>(entries[k].value);
  return values;
}

template <class T>
csr_matrix<T> make_csr(const matrix_case& from, widths w = {}) {
  std::vector<index_t> offsets(static_cast<std::size_t>(from.shape.rows) + 1, 0), columns;
  for (const auto& t : from.entries) {
    ++offsets[static_cast<std::size_t>(t.row) + 1];
    columns.push_back(t.column);
  }
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
  return {from.shape, indices(offsets, w.offsets), indices(columns, w.indices),
          values_of<T>(from.entries)};
}

template <class T>
coo_matrix<T> make_coo(const matrix_case& from, index_width width = index_width::i32) {
  std::vector<index_t> rows, columns;
  for (const auto& t : from.entries) {
    rows.push_back(t.row);
    columns.push_back(t.column);
  }
  return {from.shape, indices(rows, width), indices(columns, width), values_of<T>(from.entries)};
}

/// What a view stores, in storage order; a dense one stores everything but its zeros.
template <class T>
std::vector<triplet> entries_of(const dense_view<const T>& a) {
  std::vector<triplet> found;
  for (index_t i = 0; i < a.shape.rows; ++i)
    for (index_t j = 0; j < a.shape.cols; ++j)
      if (!(a(i, j) == 0)) found.push_back({i, j, static_cast<double>(a(i, j))});
  return found;
}
template <class View>
std::vector<triplet> entries_of(const View& a) {
  std::vector<triplet> found;
  for_each_entry(a, [&](index_t i, index_t j, auto value) {
    found.push_back({i, j, static_cast<double>(value)});
  });
  return found;
}

inline std::vector<triplet> sorted(std::vector<triplet> entries) {
  std::sort(entries.begin(), entries.end(), [](const triplet& a, const triplet& b) {
    return std::tuple(a.row, a.column, bits(a.value)) < std::tuple(b.row, b.column, bits(b.value));
  });
  return entries;
}

/// Duplicates added up in order, zeros gone: what a dense matrix remembers.
inline std::vector<triplet> summed(std::vector<triplet> entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const triplet& a, const triplet& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  std::vector<triplet> result;
  for (const auto& t : entries) {
    if (!result.empty() && result.back().row == t.row && result.back().column == t.column)
      result.back().value += t.value;
    else
      result.push_back(t);
  }
  std::erase_if(result, [](const triplet& t) { return t.value == 0; });
  return result;
}

}  // namespace gossamer::test
