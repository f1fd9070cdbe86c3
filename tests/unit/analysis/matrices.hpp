// Small matrices for the tests of this room: written out, or made by a few lines of seeded code,
// and a plain product of patterns to compare with.
#pragma once

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "gossamer/analysis.hpp"

namespace gossamer::analysis_tests {

using row_list = std::vector<std::vector<index_t>>;

/// Rows of columns, in the order given, all values 1.
template <class T = double>
csr_matrix<T> matrix_of(const row_list& rows, index_t cols, widths w) {
  index_t nnz = 0;
  for (const auto& row : rows) nnz += static_cast<index_t>(row.size());
  csr_matrix<T> result({static_cast<index_t>(rows.size()), cols}, nnz, w);
  const auto view = result.mutable_view();
  const auto store = [](index_span to, index_t at, index_t value) {
    if (to.width() == index_width::i32)
      to.as<std::int32_t>()[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(value);
    else
      to.as<std::int64_t>()[static_cast<std::size_t>(at)] = value;
  };
  index_t next = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const index_t j : rows[i]) {
      view.values[next] = 1;
      store(view.columns, next++, j);
    }
    store(view.offsets, static_cast<index_t>(i) + 1, next);
  }
  return result;
}

template <class T = double>
csr_matrix<T> matrix_of(const row_list& rows, index_t cols) {
  return matrix_of<T>(rows, cols, widths{});
}

/// The rows of the transpose.
inline row_list transpose(const row_list& rows, index_t cols) {
  row_list result(static_cast<std::size_t>(cols));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const index_t j : rows[i])
      result[static_cast<std::size_t>(j)].push_back(static_cast<index_t>(i));
  return result;
}

/// The same matrix by columns.
inline csc_matrix<double> csc_of(const row_list& rows, index_t cols) {
  const auto by_columns = matrix_of(transpose(rows, cols), static_cast<index_t>(rows.size()));
  return {{static_cast<index_t>(rows.size()), cols},
          index_buffer(by_columns.row_offsets().as<std::int32_t>()),
          index_buffer(by_columns.column_indices().as<std::int32_t>()),
          buffer<double>(by_columns.values())};
}

/// Each row `degree` random columns (fewer after duplicates are dropped), sorted.
inline row_list random_rows(index_t rows, index_t cols, index_t degree, unsigned seed) {
  std::mt19937_64 random(seed);
  row_list result(static_cast<std::size_t>(rows));
  for (auto& row : result) {
    std::set<index_t> columns;
    for (index_t k = 0; k < degree; ++k)
      columns.insert(static_cast<index_t>(random() % static_cast<std::uint64_t>(cols)));
    row.assign(columns.begin(), columns.end());
  }
  return result;
}

/// R-MAT (0.57, 0.19, 0.19, 0.05), 2^scale rows, duplicates dropped.
inline row_list rmat_rows(int scale, index_t edges_per_row, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto n = std::size_t{1} << scale;
  std::vector<std::set<index_t>> rows(n);
  for (index_t e = 0; e < edges_per_row << scale; ++e) {
    index_t i = 0, j = 0;
    for (int bit = 0; bit < scale; ++bit) {
      const auto draw = random() % 100;
      i = 2 * i + (draw >= 76);
      j = 2 * j + ((draw >= 57 && draw < 76) || draw >= 95);
    }
    rows[static_cast<std::size_t>(i)].insert(j);
  }
  row_list result;
  for (const auto& row : rows) result.emplace_back(row.begin(), row.end());
  return result;
}

/// A band of the given half width, of which each entry is kept with `percent` %.
inline row_list banded_rows(index_t n, index_t half_width, unsigned percent, unsigned seed) {
  std::mt19937_64 random(seed);
  row_list rows(static_cast<std::size_t>(n));
  for (index_t i = 0; i < n; ++i)
    for (index_t j = std::max<index_t>(0, i - half_width); j <= std::min(n - 1, i + half_width);
         ++j)
      if (i == j || random() % 100 < percent) rows[static_cast<std::size_t>(i)].push_back(j);
  return rows;
}

/// Columns of every row shuffled; a share of the entries stored twice.
inline row_list shuffled_with_duplicates(row_list rows, unsigned seed) {
  std::mt19937_64 random(seed);
  for (auto& row : rows) {
    const auto unique = row.size();
    for (std::size_t k = 0; k < unique; ++k)
      if (random() % 8 == 0) row.push_back(row[k]);
    std::shuffle(row.begin(), row.end(), random);
  }
  return rows;
}

/// nnz(C_i) of C = A B, the plain way.
inline std::vector<index_t> entries_of_product(const row_list& a, const row_list& b, index_t cols) {
  std::vector<index_t> counts, seen(static_cast<std::size_t>(cols), -1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    index_t count = 0;
    for (const index_t k : a[i])
      for (const index_t j : b[static_cast<std::size_t>(k)])
        if (auto& last = seen[static_cast<std::size_t>(j)]; last != static_cast<index_t>(i)) {
          last = static_cast<index_t>(i);
          ++count;
        }
    counts.push_back(count);
  }
  return counts;
}

inline std::vector<index_t> products_of(const row_list& a, const row_list& b) {
  std::vector<index_t> counts;
  for (const auto& row : a) {
    index_t products = 0;
    for (const index_t k : row)
      products += static_cast<index_t>(b[static_cast<std::size_t>(k)].size());
    counts.push_back(products);
  }
  return counts;
}

template <class Range>
std::vector<index_t> to_vector(const Range& values) {
  return {values.begin(), values.end()};
}

}  // namespace gossamer::analysis_tests
