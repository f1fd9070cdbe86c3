// Two steps. First the nonzeros are distributed to a few hundred bands of rows, stably: each group
// of blocks knows from a count where its nonzeros go. Then each band, which fits a cache, is
// finished independently: counted, scattered to its rows, sorted where needed, duplicates added.
#include "io/build_csr.hpp"

#include <algorithm>
#include <numeric>

#include "formats/typed.hpp"
#include "formats/value_types.hpp"
#include "gossamer/complex.hpp"

namespace gossamer::io {

namespace {

/// Rows [b << shift, (b + 1) << shift) are band b.
struct bands {
  int shift = 0;
  index_t count = 1;
};

bands choose_bands(index_t rows, index_t entries) {
  constexpr index_t most = 512;  // write streams that the TLB can cover
  const auto wanted = std::clamp<index_t>(std::max(entries >> 14, rows >> 18), 1, most);
  bands chosen;
  while ((rows >> chosen.shift) >= wanted) ++chosen.shift;
  chosen.count = (rows >> chosen.shift) + 1;
  return chosen;
}

/// Nonzeros in band order, file order within a band; starts has one more element than bands.
template <class I, class T>
struct dealt {
  buffer<entry<I, T>> entries;
  std::vector<index_t> starts;
};

template <class T>
T mirrored_value(mirror mirrored, const T& value) {
  return mirrored == mirror::negated ? -value
                                     : conjugated_if(mirrored == mirror::conjugated, value);
}

template <class I, class T, class F>
void for_each_expanded(const entry_block<I, T>& block, mirror mirrored, F&& f) {
  const auto* const first = block.entries.data();
  if (mirrored == mirror::none) {
    for (index_t k = 0; k < block.count; ++k) f(first[k]);
    return;
  }
  for (index_t k = 0; k < block.count; ++k) {
    const auto& e = first[k];
    f(e);
    if (e.row != e.column) f(entry<I, T>{e.column, e.row, mirrored_value(mirrored, e.value)});
  }
}

template <class I, class T>
dealt<I, T> deal(std::vector<entry_block<I, T>> blocks, const bands& into, mirror mirrored,
                 int threads) {
  const auto all = static_cast<index_t>(blocks.size());
  const auto groups = std::min<index_t>(all, 4 * static_cast<index_t>(threads));
  std::vector<index_t> places(static_cast<std::size_t>(groups * into.count), 0);
  const auto place_of = [&](index_t group) { return places.data() + group * into.count; };
  const auto for_group = [&](index_t group, auto&& f) {
    const auto [begin, end] = part_of(all, group, groups);
    for (index_t b = begin; b < end; ++b)
      for_each_expanded(blocks[static_cast<std::size_t>(b)], mirrored, f);
  };
  parallel_chunks(threads, groups, [&](index_t group) {
    auto* const counts = place_of(group);
    for_group(group, [&](const entry<I, T>& e) { ++counts[e.row >> into.shift]; });
  });

  dealt<I, T> result;
  index_t running = 0;
  for (index_t band = 0; band < into.count; ++band) {
    result.starts.push_back(running);
    for (index_t group = 0; group < groups; ++group)
      running += std::exchange(place_of(group)[band], running);
  }
  result.starts.push_back(running);

  result.entries = buffer<entry<I, T>>(running);
  auto* const out = result.entries.data();
  parallel_chunks(threads, groups, [&](index_t group) {
    auto* const next = place_of(group);
    for_group(group, [&](const entry<I, T>& e) { out[next[e.row >> into.shift]++] = e; });
  });
  return result;
}

/// Sorts one row by column, stably, and adds duplicates; returns how many nonzeros are left.
template <class I, class T>
index_t tidy_row(I* columns, T* values, index_t length, std::vector<std::pair<I, T>>& scratch) {
  I* const end = columns + length;
  if (std::adjacent_find(columns, end, std::greater_equal<>()) == end) return length;
  scratch.clear();
  for (index_t k = 0; k < length; ++k) scratch.emplace_back(columns[k], values[k]);
  std::stable_sort(scratch.begin(), scratch.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  index_t kept = 0;
  for (const auto& [column, value] : scratch) {
    if (kept > 0 && columns[kept - 1] == column) {
      values[kept - 1] += value;
    } else {
      columns[kept] = column;
      values[kept++] = value;
    }
  }
  return kept;
}

/// An unfinished matrix: band b fills its positions from starts[b] on, `kept[b]` of them.
template <class I, class O, class T>
struct draft {
  index_buffer offsets, columns;
  buffer<T> values;
  std::vector<index_t> kept;
  O* offset_data() { return static_cast<O*>(offsets.view().data()); }
  I* column_data() { return static_cast<I*>(columns.view().data()); }
};

template <class I, class O, class T>
void finish_band(draft<I, O, T>& matrix, const dealt<I, T>& from, index_t band, range rows) {
  const auto begin = from.starts[static_cast<std::size_t>(band)];
  const auto end = from.starts[static_cast<std::size_t>(band) + 1];
  const auto* const entries = from.entries.data();
  auto* const offsets = matrix.offset_data();
  auto* const columns = matrix.column_data();
  auto* const values = matrix.values.data();

  std::vector<index_t> next(static_cast<std::size_t>(rows.end - rows.begin), 0);
  for (index_t k = begin; k < end; ++k)
    ++next[static_cast<std::size_t>(entries[k].row - rows.begin)];
  index_t running = begin;
  for (auto& place : next) running += std::exchange(place, running);
  for (index_t k = begin; k < end; ++k) {
    const auto at = next[static_cast<std::size_t>(entries[k].row - rows.begin)]++;
    columns[at] = entries[k].column;
    values[at] = entries[k].value;
  }

  std::vector<std::pair<I, T>> scratch;
  index_t row_begin = begin, filled = begin;
  for (index_t row = rows.begin; row < rows.end; ++row) {
    const auto row_end = next[static_cast<std::size_t>(row - rows.begin)];
    const auto length =
        tidy_row(columns + row_begin, values + row_begin, row_end - row_begin, scratch);
    offsets[row] = static_cast<O>(filled);
    if (filled != row_begin) {  // duplicates were found before: close the gap
      std::copy_n(columns + row_begin, length, columns + filled);
      std::copy_n(values + row_begin, length, values + filled);
    }
    filled += length;
    row_begin = row_end;
  }
  matrix.kept[static_cast<std::size_t>(band)] = filled - begin;
}

/// Closes the gaps that duplicates left between bands.
template <class I, class O, class T>
csr_matrix<T> without_gaps(extents shape, draft<I, O, T> matrix, const std::vector<index_t>& starts,
                           const bands& by, int threads) {
  std::vector<index_t> bases(matrix.kept.size() + 1, 0);
  std::partial_sum(matrix.kept.begin(), matrix.kept.end(), bases.begin() + 1);
  const auto nnz = bases.back();
  const auto offset_width = sizeof(I) == 8 ? index_width::i64 : narrowest(nnz);
  csr_matrix<T> result(shape, nnz, {width_of<I>, offset_width});
  auto view = result.mutable_view();
  const auto fill = [&]<class Narrow>(Narrow* offsets) {
    parallel_chunks(threads, by.count, [&](index_t band) {
      const auto b = static_cast<std::size_t>(band);
      std::copy_n(matrix.column_data() + starts[b], matrix.kept[b],
                  static_cast<I*>(view.columns.data()) + bases[b]);
      std::copy_n(matrix.values.data() + starts[b], matrix.kept[b], view.values + bases[b]);
      const auto last = std::min((band + 1) << by.shift, shape.rows);
      for (index_t row = band << by.shift; row < last; ++row)
        offsets[row] = static_cast<Narrow>(matrix.offset_data()[row] - starts[b] + bases[b]);
    });
    offsets[shape.rows] = static_cast<Narrow>(nnz);
  };
  if (view.offsets.width() == index_width::i32)
    fill(static_cast<std::int32_t*>(view.offsets.data()));
  else
    fill(static_cast<std::int64_t*>(view.offsets.data()));
  return result;
}

template <class I, class O, class T>
csr_matrix<T> assemble(extents shape, dealt<I, T> from, const bands& by, const read_options& how) {
  const auto total = from.starts.back();
  draft<I, O, T> matrix{index_buffer(shape.rows + 1, width_of<O>), index_buffer(total, width_of<I>),
                        buffer<T>(total),
                        std::vector<index_t>(static_cast<std::size_t>(by.count), 0)};
  chunks_with_progress(how.threads, how.progress, "building", by.count, [&](index_t band) {
    finish_band(matrix, from, band,
                {band << by.shift, std::min((band + 1) << by.shift, shape.rows)});
  });
  matrix.offset_data()[shape.rows] = static_cast<O>(total);
  from.entries = {};
  if (std::accumulate(matrix.kept.begin(), matrix.kept.end(), index_t{0}) != total)
    return without_gaps(shape, std::move(matrix), from.starts, by, threads_of(how.threads));
  return csr_matrix<T>(shape, std::move(matrix.offsets), std::move(matrix.columns),
                       std::move(matrix.values));
}

}  // namespace

template <stored_index I, scalar T>
csr_matrix<T> build_csr(extents shape, std::vector<entry_block<I, T>> blocks, mirror mirrored,
                        const read_options& how) {
  index_t listed = 0;
  for (const auto& block : blocks) listed += block.count;
  const auto by = choose_bands(shape.rows, mirrored == mirror::none ? listed : 2 * listed);
  auto sorted = deal(std::move(blocks), by, mirrored, threads_of(how.threads));
  const auto widths = narrowest(shape, sorted.starts.back());
  if constexpr (sizeof(I) == 4) {
    if (widths.offsets == index_width::i32)
      return assemble<I, std::int32_t>(shape, std::move(sorted), by, how);
  }
  return assemble<I, std::int64_t>(shape, std::move(sorted), by, how);
}

#define GOSSAMER_INSTANTIATE(T)                                                                \
  template csr_matrix<T> build_csr(extents, std::vector<entry_block<std::int32_t, T>>, mirror, \
                                   const read_options&);                                       \
  template csr_matrix<T> build_csr(extents, std::vector<entry_block<std::int64_t, T>>, mirror, \
                                   const read_options&);
GOSSAMER_EACH_VALUE(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::io
