// The columns of a slice of A, for outer products: a stable counting sort of its entries by column.
// Each entry carries its value and its place among the bins (bin and row within the bin in one
// number), found while rows are walked in order, so that no row needs to be looked up later.
#pragma once

#include <algorithm>

#include "base/parallel.hpp"
#include "kernels/shared/pb_bins.hpp"
#include "kernels/shared/row_access.hpp"

namespace gossamer {

template <class K, class T>
struct pb_columns {
  buffer<index_t> offsets;   // columns + 1
  buffer<index_t> products;  // columns + 1: products of the columns before
  buffer<K> places;          // bin << row_bits | row within the bin
  buffer<T> values;
};

/// Entries first .. last of the columns, from the middle of one to the middle of another.
struct pb_share {
  index_t first = 0, last = 0;
};

/// f(column, first entry, last entry) for every column that has entries in the share.
template <class K, class T, class F>
void for_each_column(const pb_columns<K, T>& a, pb_share share, F&& f) {
  if (share.first == share.last) return;
  const index_t* const offsets = a.offsets.data();
  index_t k = std::upper_bound(offsets, offsets + a.offsets.size(), share.first) - offsets - 1;
  for (; offsets[k] < share.last; ++k)
    if (offsets[k] < offsets[k + 1])
      f(k, std::max(offsets[k], share.first), std::min(offsets[k + 1], share.last));
}

/// Shares of about equal products; a column with many products is divided.
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

/// Counts of every part and column become places; offsets and products become sums.
template <class K, class T>
void scan_columns(buffer<index_t>& counts, index_t parts, index_view b_offsets, int team,
                  pb_columns<K, T>& out) {
  const index_t columns = out.offsets.size() - 1, blocks = index_t{4} * team;
  std::vector<std::array<index_t, 2>> sums(static_cast<std::size_t>(blocks + 1));
  const auto count_of = [&](index_t k) {
    index_t count = 0;
    for (index_t part = 0; part < parts; ++part) count += counts[part * columns + k];
    return count;
  };
  parallel_chunks(team, blocks, [&](index_t block) {
    const auto [begin, end] = part_of(columns, block, blocks);
    index_t entries = 0, products = 0;
    for (index_t k = begin; k < end; ++k) {
      const index_t count = count_of(k);
      entries += count;
      products += count * (b_offsets[k + 1] - b_offsets[k]);
    }
    sums[static_cast<std::size_t>(block + 1)] = {entries, products};
  });
  for (std::size_t b = 1; b < sums.size(); ++b)
    for (std::size_t s : {0, 1}) sums[b][s] += sums[b - 1][s];
  parallel_chunks(team, blocks, [&](index_t block) {
    const auto [begin, end] = part_of(columns, block, blocks);
    auto [entries, products] = sums[static_cast<std::size_t>(block)];
    for (index_t k = begin; k < end; ++k) {
      out.offsets[k] = entries;
      out.products[k] = products;
      for (index_t part = 0; part < parts; ++part)
        entries += std::exchange(counts[part * columns + k], entries);
      products += (entries - out.offsets[k]) * (b_offsets[k + 1] - b_offsets[k]);
    }
  });
  out.offsets[columns] = sums.back()[0];
  out.products[columns] = sums.back()[1];
}

}  // namespace detail

/// Counters per column pay only for so many members.
inline index_t pb_counting_parts(index_t entries, index_t columns, int team) {
  return std::clamp<index_t>(2 * entries / std::max<index_t>(columns, 1) + 1, 1, team);
}

template <class K, class T, class RowsA>
pb_columns<K, T> collect_columns(const RowsA& a, const pb_slice& slice, index_view b_offsets,
                                 int team, const context& where) {
  const index_t columns = b_offsets.size() - 1;
  const auto [first_row, last_row] = slice.rows;
  const index_t first = a.begin(first_row), entries = a.end(last_row - 1) - first;
  const index_t parts = pb_counting_parts(entries, columns, team);
  pb_columns<K, T> out{buffer<index_t>(columns + 1, where.memory()),
                       buffer<index_t>(columns + 1, where.memory()),
                       buffer<K>(entries, where.memory()), buffer<T>(entries, where.memory())};
  buffer<index_t> counts(columns * parts, where.memory());
  // Rows of a part: the entries are divided evenly, up to whole rows.
  const auto row_of = [&](index_t part) {
    if (part == parts) return last_row;
    const index_t wanted = first + part_of(entries, part, parts).begin;
    index_t low = first_row, high = last_row;
    while (low < high) {
      const index_t middle = low + (high - low) / 2;
      a.begin(middle) < wanted ? low = middle + 1 : high = middle;
    }
    return low;
  };
  parallel_chunks(team, parts, [&](index_t part) {
    index_t* const mine = counts.data() + part * columns;
    std::fill_n(mine, columns, index_t{0});
    for (index_t p = a.begin(row_of(part)), end = a.end(row_of(part + 1) - 1); p < end; ++p)
      ++mine[a.column(p)];
  });
  detail::scan_columns(counts, parts, b_offsets, team, out);
  parallel_chunks(team, parts, [&](index_t part) {
    index_t* const mine = counts.data() + part * columns;
    const index_t begin = row_of(part), end = row_of(part + 1);
    auto bin = std::upper_bound(slice.first_row.begin(), slice.first_row.end(), begin) - 1;
    for (index_t row = begin; row < end; ++row) {
      if (row == bin[1]) ++bin;
      const K place = static_cast<K>(static_cast<std::uint64_t>(bin - slice.first_row.begin())
                                         << slice.row_bits |
                                     static_cast<std::uint64_t>(row - *bin));
      for (index_t p = a.begin(row); p < a.end(row); ++p) {
        const index_t at = mine[a.column(p)]++;
        out.places[at] = place;
        out.values[at] = a.value(p);
      }
    }
  });
  return out;
}

}  // namespace gossamer
