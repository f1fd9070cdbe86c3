// Statistics of one matrix: one pass over the nonzeros, and a second one over the pattern by
// columns for column lengths and symmetry.
#include <algorithm>
#include <numeric>
#include <vector>

#include "analysis/counts.hpp"
#include "analysis/format_sizes.hpp"
#include "analysis/pattern.hpp"
#include "base/refused_memory.hpp"
#include "formats/value_types.hpp"
#include "gossamer/analysis.hpp"

namespace gossamer {

namespace {

using namespace analysis;

__extension__ typedef unsigned __int128 wide;

/// Counts of one pass over some rows; integers, so merging in any order gives the same result.
struct row_scan {
  index_t bandwidth = 0, diagonal_rows = 0, diagonal_entries = 0, zeros = 0;
  wide profile = 0;
  bool sorted = true, adjacent_equal = false;

  void merge(const row_scan& other) {
    bandwidth = std::max(bandwidth, other.bandwidth);
    diagonal_rows += other.diagonal_rows;
    diagonal_entries += other.diagonal_entries;
    zeros += other.zeros;
    profile += other.profile;
    sorted = sorted && other.sorted;
    adjacent_equal = adjacent_equal || other.adjacent_equal;
  }
};

template <class T, class I, class O>
row_scan scan_rows(const csr_ref<T, I, O>& a, range rows) {
  row_scan found;
  for (index_t i = rows.begin; i < rows.end; ++i) {
    const index_t begin = a.offsets[i], end = a.offsets[i + 1];
    if (begin == end) continue;
    index_t first = a.columns[begin], last = first, on_diagonal = 0, previous = first;
    for (index_t p = begin; p < end; ++p) {
      const index_t j = a.columns[p];
      found.sorted = found.sorted && j >= previous;
      found.adjacent_equal = found.adjacent_equal || (p > begin && j == previous);
      previous = j;
      first = std::min(first, j);
      last = std::max(last, j);
      on_diagonal += j == i;
      found.zeros += a.values[p] == std::remove_const_t<T>{0};
    }
    found.bandwidth = std::max({found.bandwidth, i - first, last - i});
    found.profile += static_cast<wide>(std::max<index_t>(i - first, 0));
    found.diagonal_entries += on_diagonal;
    found.diagonal_rows += on_diagonal > 0;
  }
  return found;
}

template <scalar T>
row_scan scan(const context& where, const csr_view<const T>& a) {
  return typed(a, [&](const auto& rows) {
    const line_chunks chunks(rows.rows, rows.offsets);
    std::vector<row_scan> found(static_cast<std::size_t>(chunks.count()));
    parallel_chunks(where.threads(), chunks.count(), [&](index_t chunk) {
      found[static_cast<std::size_t>(chunk)] = scan_rows(rows, chunks.lines_of(chunk));
    });
    row_scan all;
    for (const auto& part : found) all.merge(part);
    return all;
  });
}

/// Sums integers that are counted per piece of whole rows of `p`. count(lines, row) processes one
/// row.
template <class Count>
index_t sum_over_lines(const context& where, const analysis::pattern& p, Count&& count) {
  return typed(p, [&](const auto& lines) {
    const line_chunks chunks(lines.count, lines.offsets);
    std::vector<index_t> found(static_cast<std::size_t>(chunks.count()), 0);
    parallel_chunks(where.threads(), chunks.count(), [&](index_t chunk) {
      const auto [begin, end] = chunks.lines_of(chunk);
      index_t sum = 0;
      for (index_t i = begin; i < end; ++i) sum += count(lines, i);
      found[static_cast<std::size_t>(chunk)] = sum;
    });
    return std::accumulate(found.begin(), found.end(), index_t{0});
  });
}

/// Counts off-diagonal nonzeros (i, j) for which (j, i) is stored too: a merge of row i and column
/// i, both ascending.
index_t mirrored_entries(const context& where, const analysis::pattern& sorted_rows,
                         const analysis::pattern& sorted_columns) {
  return typed(sorted_columns, [&](const auto& columns) {
    return sum_over_lines(where, sorted_rows, [&](const auto& rows, index_t i) {
      index_t mirrored = 0, q = columns.offsets[i];
      const index_t last = columns.offsets[i + 1];
      for (index_t p = rows.offsets[i]; p < static_cast<index_t>(rows.offsets[i + 1]); ++p) {
        const index_t j = rows.indices[p];
        while (q < last && columns.indices[q] < j) ++q;
        mirrored += j != i && q < last && columns.indices[q] == j;
      }
      return mirrored;
    });
  });
}

bool has_duplicates(const context& where, const analysis::pattern& sorted_rows) {
  return sum_over_lines(where, sorted_rows, [](const auto& rows, index_t i) {
           const auto* begin = rows.indices + rows.offsets[i];
           const auto* end = rows.indices + rows.offsets[i + 1];
           return std::adjacent_find(begin, end) != end ? index_t{1} : index_t{0};
         }) > 0;
}

/// More columns than nonzeros by far: nothing may be allocated for each of them.
bool mostly_empty_columns(const analysis::pattern& rows) {
  constexpr index_t affordable = 1 << 20, per_entry = 4;
  return rows.shape.cols > affordable && (rows.shape.cols - affordable) / per_entry > rows.nnz();
}

/// Column lengths from a sorted copy of the columns, and duplicates from rows that are sorted one
/// by one. On the calling thread.
void analyse_few_columns(const context& where, const analysis::pattern& rows,
                         matrix_analysis& result) {
  std::vector<index_t> sorted;
  for (index_t p = 0; p < rows.nnz(); ++p) sorted.push_back(rows.indices[p]);
  if (!result.sorted) {
    for (index_t i = 0; i < rows.shape.rows && result.unique; ++i) {
      std::vector<index_t> row(sorted.begin() + rows.offsets[i],
                               sorted.begin() + rows.offsets[i + 1]);
      std::sort(row.begin(), row.end());
      result.unique = std::adjacent_find(row.begin(), row.end()) == row.end();
    }
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<index_t> lengths;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    if (k == 0 || sorted[k] != sorted[k - 1]) lengths.push_back(0);
    ++lengths.back();
  }
  result.columns =
      statistics_with_zeros(where, lengths, rows.shape.cols - static_cast<index_t>(lengths.size()));
}

double symmetry(index_t mirrored, index_t off_diagonal) {
  return off_diagonal == 0 ? 1 : static_cast<double>(mirrored) / static_cast<double>(off_diagonal);
}

/// Computes column lengths, symmetry and duplicates, which need the matrix by columns or sorted.
void analyse_columns(const context& where, const analysis::pattern& rows, const row_scan& found,
                     matrix_analysis& result) {
  const bool square = rows.shape.rows == rows.shape.cols;
  result.unique = !found.adjacent_equal;
  if (!square && mostly_empty_columns(rows)) return analyse_few_columns(where, rows, result);
  if (!square && found.sorted) {
    result.columns = statistics(where, index_counts(where, rows).span());
    return;
  }
  const auto columns = switch_lines(where, rows);
  result.columns = statistics(where, line_lengths(where, columns.view()).span());
  std::optional<owned_pattern> in_order;
  if (!found.sorted) {
    in_order = switch_lines(where, columns.view());
    result.unique = !has_duplicates(where, in_order->view());
  }
  if (square)
    result.pattern_symmetry =
        symmetry(mirrored_entries(where, in_order ? in_order->view() : rows, columns.view()),
                 rows.nnz() - found.diagonal_entries);
}

}  // namespace

template <scalar T>
matrix_analysis analyse(const context& where, const csr_view<const T>& a) try {
  const analysis::pattern rows = pattern_of(expression<T>{.view = a}, "the matrix");
  matrix_analysis result;
  result.shape = a.shape;
  result.nnz = a.nnz();
  result.values = value_type_of<T>;
  result.index = {a.columns.width(), a.offsets.width()};
  const auto lengths = line_lengths(where, rows);
  result.rows = statistics(where, lengths.span());
  result.row_histogram = histogram(where, lengths.span());
  const row_scan found = scan(where, a);
  result.bandwidth = found.bandwidth;
  result.profile = static_cast<double>(found.profile);
  result.diagonal = found.diagonal_rows;
  result.explicit_zeros = found.zeros;
  result.sorted = found.sorted;
  analyse_columns(where, rows, found, result);
  result.bytes = format_sizes(where, a.shape, value_type_of<T>, lengths.span());
  return result;
} catch (const std::bad_alloc&) {
  refuse_memory("statistics");
}

#define GOSSAMER_INSTANTIATE(T) \
  template matrix_analysis analyse(const context&, const csr_view<const T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
