// Validation of ELL, SELL-P and HYB: nonzeros as in any row, then only padding.
#include <atomic>

#include "base/text.hpp"
#include "formats/structure_checks.hpp"
#include "formats/value_types.hpp"

namespace gossamer {

namespace {

/// One row of a padded format: positions first, first + step, ...
struct padded_line {
  index_t row = 0, first = 0, step = 1, places = 0;
};

index_t entries_before_padding(index_view columns, const padded_line& line) {
  index_t length = 0;
  while (length < line.places && columns[line.first + length * line.step] != padding) ++length;
  return length;
}

/// Finds a nonzero after the first padding: kernels would never read it.
std::string hidden_entry(index_view columns, const padded_line& line, index_t length) {
  for (index_t k = length; k < line.places; ++k)
    if (const index_t column = columns[line.first + k * line.step]; column != padding)
      return formatted("row {}, place {}: column {} comes after padding at place {}", line.row, k,
                       column, length);
  return {};
}

/// Lines at positions [0, rows) are rows, those up to `positions` are all padding.
struct padded_lines {
  index_view columns;
  extents shape;
  index_t positions = 0, entries = 0;
};

template <class LineAt>
finding inspect_padded(int threads, const padded_lines& all, LineAt&& line_at) {
  std::atomic<index_t> stored{0};
  const index_t positions = all.columns.size() == 0 ? 0 : all.positions;  // no place, no line
  auto found = inspect_parts(threads, positions, [&](index_t begin, index_t end, finding& part) {
    line_inspector look({}, all.shape.cols, part);
    index_t stored_here = 0;
    for (index_t position = begin; position < end; ++position) {
      const padded_line line = line_at(position);
      const index_t length = entries_before_padding(all.columns, line);
      const auto column = [&](index_t k) { return all.columns[line.first + k * line.step]; };
      if (position >= all.shape.rows) {
        part.broken = length > 0 ? formatted(
                                       "column {} is stored behind the last row, at "
                                       "position {}, where only padding may be",
                                       column(0), position)
                                 : hidden_entry(all.columns, line, 0);
      } else if (look(line.row, length, column)) {
        part.broken = hidden_entry(all.columns, line, length);
      }
      if (!part.broken.empty()) return;
      stored_here += length;
    }
    stored += stored_here;
  });
  if (found.broken.empty() && stored != all.entries)
    found.broken =
        formatted("{} entries are stored, but the matrix says {}", stored.load(), all.entries);
  return found;
}

/// Checks that row_order is a permutation.
std::string order_problem(index_view order, index_t rows) {
  std::vector<bool> seen(static_cast<std::size_t>(order.size()), false);
  for (index_t position = 0; position < order.size(); ++position) {
    const index_t row = order[position];
    if (row < 0 || row >= rows)
      return formatted("row order, position {}: row {} is not in [0, {})", position, row, rows);
    if (seen[row])
      return formatted("row order, position {}: row {} is named a second time", position, row);
    seen[row] = true;
  }
  return {};
}

/// Nonzeros of a row in both parts of HYB, read as one line; the COO part is sorted by row.
template <class T>
finding inspect_joint_rows(int threads, const hyb_view<const T>& a) {
  const auto first_of_row = [&](index_t row) {
    index_t low = 0, high = a.coo.nnz();
    while (low < high) {
      const index_t middle = low + (high - low) / 2;
      (a.coo.rows[middle] < row ? low : high) = a.coo.rows[middle] < row ? middle + 1 : middle;
    }
    return low;
  };
  return inspect_parts(threads, a.shape.rows, [&](index_t begin, index_t end, finding& part) {
    line_inspector look({}, a.shape.cols, part);
    index_t p = first_of_row(begin);
    for (index_t i = begin; i < end; ++i) {
      const index_t length =
          entries_before_padding(a.ell.columns, {i, i, a.ell.stride, a.ell.width});
      const index_t first = p;
      while (p < a.coo.nnz() && a.coo.rows[p] == i) ++p;
      look(i, length + p - first, [&](index_t k) {
        return k < length ? a.ell.columns[k * a.ell.stride + i] : a.coo.columns[first + k - length];
      });
    }
  });
}

}  // namespace

template <class T>
finding inspect(int threads, const ell_view<const T>& a) {
  return inspect_padded(threads, {a.columns, a.shape, a.stride, a.entries}, [&](index_t position) {
    return padded_line{position, position, a.stride, a.width};
  });
}

template <class T>
finding inspect(int threads, const sellp_view<const T>& a) {
  finding found;
  index_t height = 0;
  if (a.slices() > 0) height = a.slice_offsets[a.slices()];
  if (height < 0 || a.columns.size() % a.slice != 0 || a.columns.size() / a.slice != height)
    found.broken = formatted("the slice offsets end at {} places of {} rows, but {} are stored",
                             height, a.slice, a.columns.size());
  else
    found.broken = offsets_problem(threads, a.slice_offsets, height, "slice");
  if (found.broken.empty()) found.broken = order_problem(a.row_order, a.shape.rows);
  if (!found.broken.empty()) return found;
  return inspect_padded(threads, {a.columns, a.shape, a.slices() * a.slice, a.entries},
                        [&](index_t position) {
                          const index_t slice = position / a.slice, start = a.slice_offsets[slice];
                          const bool ordered = a.row_order.size() > 0 && position < a.shape.rows;
                          return padded_line{ordered ? a.row_order[position] : position,
                                             start * a.slice + position % a.slice, a.slice,
                                             a.slice_offsets[slice + 1] - start};
                        });
}

template <class T>
finding inspect(int threads, const hyb_view<const T>& a) {
  finding found;
  if (auto part = inspect(threads, a.ell); !part.broken.empty())
    found.broken = "the ELL part: " + part.broken;
  else if (auto rest = inspect(threads, a.coo); !rest.broken.empty())
    found.broken = "the COO part: " + rest.broken;
  for (index_t p = 1; p < a.coo.nnz() && found.broken.empty(); ++p)
    if (a.coo.rows[p] < a.coo.rows[p - 1])
      found.broken = formatted(
          "the COO part, entry {}: row {} comes after row {}; it must be "
          "sorted by row",
          p, a.coo.rows[p], a.coo.rows[p - 1]);
  if (!found.broken.empty()) return found;
  return inspect_joint_rows(threads, a);
}

#define GOSSAMER_INSTANTIATE(T)                              \
  template finding inspect(int, const ell_view<const T>&);   \
  template finding inspect(int, const sellp_view<const T>&); \
  template finding inspect(int, const hyb_view<const T>&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer
