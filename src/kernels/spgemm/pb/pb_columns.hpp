// The columns of a slice of A, for outer products: a stable counting sort of its nonzeros by
// column. Each nonzero carries its value and its target (bin and row within the bin in one
// integer), found while rows are read in order, so that no row is looked up later.
#pragma once

#include <algorithm>

#include "base/parallel.hpp"
#include "kernels/spgemm/operands/row_access.hpp"
#include "kernels/spgemm/pb/pb_bins.hpp"

namespace gossamer {

template <class K, class T>
struct pb_columns {
  buffer<index_t> offsets;   // columns + 1
  buffer<index_t> products;  // columns + 1: multiplications before each column
  buffer<K> places;          // bin << row_bits | row within the bin
  buffer<T> values;
};

/// Nonzeros first .. last in column order, from the middle of one column to the middle of another.
struct pb_share {
  index_t first = 0, last = 0;
};

/// Calls f(column, first, last) for every column that has nonzeros in the share.
template <class K, class T, class F>
void for_each_column(const pb_columns<K, T>& a, pb_share share, F&& f) {
  if (share.first == share.last) return;
  const index_t* const offsets = a.offsets.data();
  index_t k = std::upper_bound(offsets, offsets + a.offsets.size(), share.first) - offsets - 1;
  for (; offsets[k] < share.last; ++k)
    if (offsets[k] < offsets[k + 1])
      f(k, std::max(offsets[k], share.first), std::min(offsets[k + 1], share.last));
}

/// Shares of about equal multiplications; a column with many is divided.
template <class K, class T>
std::vector<pb_share> divide_products(const pb_columns<K, T>& a, index_view b_offsets,
                                      index_t shares) {
  const index_t columns = a.offsets.size() - 1, total = a.products[columns];
  const auto entry_at = [&](index_t product) {
    const index_t* const begin = a.products.data();
    const index_t k = std::upper_bound(begin, begin + columns, product) - begin - 1;
    const index_t length = std::max<index_t>(b_offsets[k + 1] - b_offsets[k], 1);
    return a.offsets[k] +
           std::min((product - a.products[k]) / length, a.offsets[k + 1] - a.offsets[k]);
  };
  std::vector<pb_share> list;
  index_t first = 0;
  for (index_t share = 0; share < shares; ++share) {
    const index_t last =
        share + 1 == shares ? a.offsets[columns] : entry_at(part_of(total, share, shares).end);
    list.push_back({first, std::max(first, last)});
    first = list.back().last;
  }
  return list;
}

namespace detail {

/// A nonzero on its way to its column: the column is relative to the first of its group.
template <class K, class T>
struct grouped_entry {
  T value;
  K place;
  std::uint32_t column;
};

/// Groups of 2^shift columns, few enough to write to all of them at once, and small enough, when
/// columns are evenly filled, to be sorted in cache.
struct column_groups {
  index_t columns = 0, count = 0;
  int shift = 0;
  column_groups(index_t columns, index_t entries) : columns(columns) {
    const index_t wanted = std::clamp<index_t>(entries / 16'384, 1, 1024);
    shift = std::min(bits_below((columns + wanted - 1) / wanted), 31);
    count = std::max<index_t>(((columns - 1) >> shift) + 1, columns > 0 ? 1 : 0);
  }
  range of(index_t group) const {
    return {group << shift, std::min((group + 1) << shift, columns)};
  }
};

/// Distributes the nonzeros of a slice by groups of columns, stably: in row order inside a group.
template <class K, class T, class RowsA>
std::vector<index_t> group_entries(const RowsA& a, const pb_slice& slice,
                                   const column_groups& groups, int team,
                                   buffer<grouped_entry<K, T>>& out) {
  const auto [first_row, last_row] = slice.rows;
  const index_t first = a.begin(first_row), entries = out.size();
  // Rows of a part: nonzeros are divided evenly, up to whole rows.
  const auto rows_of = [&, first_row = first_row, rows = last_row - first_row](index_t part) {
    const auto [begin, end] = part_of_work(rows, part, team, [&](index_t row) {
      return row < rows ? a.begin(first_row + row) - first : entries;
    });
    return range{first_row + begin, first_row + end};
  };
  std::vector<std::vector<index_t>> next(static_cast<std::size_t>(team));
  parallel_chunks(team, team, [&](index_t part) {
    std::vector<index_t> mine(static_cast<std::size_t>(groups.count));
    const auto [begin, end] = rows_of(part);
    for (index_t p = a.begin(begin); begin < end && p < a.end(end - 1); ++p)
      ++mine[static_cast<std::size_t>(a.column(p) >> groups.shift)];
    next[static_cast<std::size_t>(part)] = std::move(mine);
  });
  std::vector<index_t> starts;
  index_t sum = 0;
  for (std::size_t group = 0; group < static_cast<std::size_t>(groups.count); ++group) {
    starts.push_back(sum);
    for (auto& mine : next) sum += std::exchange(mine[group], sum);
  }
  starts.push_back(sum);
  const auto mask = static_cast<index_t>((std::uint64_t{1} << groups.shift) - 1);
  parallel_chunks(team, team, [&](index_t part) {
    auto mine = next[static_cast<std::size_t>(part)];
    const auto [begin, end] = rows_of(part);
    auto bin = std::upper_bound(slice.first_row.begin(), slice.first_row.end(), begin) - 1;
    for (index_t row = begin; row < end; ++row) {
      if (row == bin[1]) ++bin;
      const auto place = static_cast<K>(static_cast<std::uint64_t>(bin - slice.first_row.begin())
                                            << slice.row_bits |
                                        static_cast<std::uint64_t>(row - *bin));
      for (index_t p = a.begin(row); p < a.end(row); ++p) {
        const index_t column = a.column(p);
        out[mine[static_cast<std::size_t>(column >> groups.shift)]++] = {
            a.value(p), place, static_cast<std::uint32_t>(column & mask)};
      }
    }
  });
  return starts;
}

}  // namespace detail

/// Sorts in two steps, so that each writes to few streams at a time: by groups of columns, then in
/// cache.
template <class K, class T, class RowsA>
pb_columns<K, T> collect_columns(const RowsA& a, const pb_slice& slice, index_view b_offsets,
                                 int team, const context& where) {
  const index_t columns = b_offsets.size() - 1;
  const auto& memory = where.memory();
  const index_t entries = a.end(slice.rows.end - 1) - a.begin(slice.rows.begin);
  const detail::column_groups groups(columns, entries);
  buffer<detail::grouped_entry<K, T>> grouped(entries, memory);
  const auto starts = detail::group_entries(a, slice, groups, team, grouped);
  pb_columns<K, T> out{buffer<index_t>(columns + 1, memory), buffer<index_t>(columns + 1, memory),
                       buffer<K>(entries, memory), buffer<T>(entries, memory)};
  std::vector<index_t> products(static_cast<std::size_t>(groups.count + 1));
  parallel_chunks(team, groups.count, [&](index_t group) {
    const auto [begin, end] = groups.of(group);
    const auto g = static_cast<std::size_t>(group);
    std::vector<index_t> next(static_cast<std::size_t>(end - begin));
    for (index_t e = starts[g]; e < starts[g + 1]; ++e) ++next[grouped[e].column];
    index_t sum = starts[g], result = 0;
    for (index_t k = begin; k < end; ++k) {
      index_t& count = next[static_cast<std::size_t>(k - begin)];
      out.offsets[k] = sum;
      out.products[k] = result;
      result += count * (b_offsets[k + 1] - b_offsets[k]);
      sum += std::exchange(count, sum);
    }
    products[g + 1] = result;
    for (index_t e = starts[g]; e < starts[g + 1]; ++e) {
      const index_t at = next[grouped[e].column]++;
      out.places[at] = grouped[e].place;
      out.values[at] = grouped[e].value;
    }
  });
  for (std::size_t g = 1; g < products.size(); ++g) products[g] += products[g - 1];
  parallel_ranges(team, columns, 1 << 15, [&](index_t begin, index_t end) {
    for (index_t k = begin; k < end; ++k)
      out.products[k] += products[static_cast<std::size_t>(k >> groups.shift)];
  });
  out.offsets[columns] = entries;
  out.products[columns] = products.back();
  return out;
}

}  // namespace gossamer
