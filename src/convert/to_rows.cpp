// Every format into compressed rows.
#include "convert/conversions.hpp"
#include "convert/counting_sort.hpp"
#include "convert/triplet_checks.hpp"
#include "formats/typed.hpp"

namespace gossamer {

namespace {

template <scalar T, scalar From>
compressed<T> gather(const context& where, const csr_view<const From>& a, From alpha) {
  compressed<T> result(where, a.shape, a.offsets);
  with_two_widths(a.columns.width(), result.indices.width(), [&]<class I, class J>() {
    const I* const from = detail::raw<I>(a.columns);
    J* const to = raw<J>(result.indices);
    parallel_ranges(where.threads(), result.values.size(), conversion_grain,
                    [&](index_t begin, index_t end) {
                      for (index_t p = begin; p < end; ++p) {
                        to[p] = static_cast<J>(from[p]);
                        result.values[p] = cast<T>(scaled_value(alpha, a.values[p]));
                      }
                    });
  });
  return result;
}

/// The column that holds entry p: the last one that starts at or before it.
index_t column_holding(index_view offsets, index_t p) {
  index_t low = 0, high = offsets.size() - 1;
  while (high - low > 1) {
    const index_t middle = low + (high - low) / 2;
    (offsets[middle] <= p ? low : high) = middle;
  }
  return low;
}

template <scalar T, scalar From>
compressed<T> gather(const context& where, const csc_view<const From>& a, From alpha) {
  return with_width(a.rows.width(), [&]<class I>() {
    const I* const rows = detail::raw<I>(a.rows);
    return counting_sort<T>(where, a.shape, a.nnz(), [&](index_t begin, index_t end, auto&& f) {
      if (begin >= end) return;
      for (index_t j = column_holding(a.offsets, begin), p = begin; p < end; ++j)
        for (const index_t last = std::min<index_t>(a.offsets[j + 1], end); p < last; ++p)
          f(rows[p], j, cast<T>(scaled_value(alpha, a.values[p])));
    });
  });
}

template <scalar T, scalar From>
compressed<T> gather(const context& where, const coo_view<const From>& a, From alpha) {
  return with_width(a.rows.width(), [&]<class I>() {
    const I *const rows = detail::raw<I>(a.rows), *const columns = detail::raw<I>(a.columns);
    require_in_range<I, I>(where, a.shape, {rows, static_cast<std::size_t>(a.nnz())},
                           {columns, static_cast<std::size_t>(a.nnz())});
    return counting_sort<T>(where, a.shape, a.nnz(), [&](index_t begin, index_t end, auto&& f) {
      for (index_t p = begin; p < end; ++p)
        f(rows[p], columns[p], cast<T>(scaled_value(alpha, a.values[p])));
    });
  });
}

/// Where a row of a padded format lies: places first, first + step, ...
struct padded_row {
  index_t row = 0, first = 0, step = 1, places = 0;
};

template <class T>
padded_row row_at(const ell_view<const T>& a, index_t position) {
  return {position, position, a.stride, a.width};
}

template <class T>
padded_row row_at(const sellp_view<const T>& a, index_t position) {
  const index_t slice = position / a.slice, start = a.slice_offsets[slice];
  return {a.row_order.size() > 0 ? a.row_order[position] : position,
          start * a.slice + position % a.slice, a.slice, a.slice_offsets[slice + 1] - start};
}

template <class I>
index_t row_length(const I* columns, const padded_row& r) {
  index_t length = 0;
  while (length < r.places && columns[r.first + length * r.step] != padding) ++length;
  return length;
}

/// The rows of ELL or SELL-P, each followed by its row of `tail` (the COO part of HYB) if any.
template <scalar T, class Padded, scalar From>
compressed<T> gather_padded(const context& where, const Padded& a, From alpha,
                            const compressed<T>* tail) {
  const index_t rows = a.shape.rows;
  buffer<index_t> sums(rows + 1, where.memory());
  const auto all_positions = [&](auto&& body) {
    parallel_ranges(where.threads(), rows, conversion_grain / 8, [&](index_t begin, index_t end) {
      for (index_t position = begin; position < end; ++position) body(row_at(a, position));
    });
  };
  return with_width(a.columns.width(), [&]<class I>() {
    const I* const columns = detail::raw<I>(a.columns);
    const index_view tails = tail ? index_view(tail->offsets.view()) : index_view();
    all_positions([&](const padded_row& r) {
      const index_t behind = tail ? tails[r.row + 1] - tails[r.row] : 0;
      sums[r.row] = row_length(columns, r) + behind;
    });
    prefix_sums(where.threads(), sums.span());
    compressed<T> result(where, a.shape, {sums.data(), sums.size()});
    with_width(result.indices.width(), [&]<class J>() {
      J* const out = raw<J>(result.indices);
      all_positions([&](const padded_row& r) {
        index_t at = sums[r.row];
        for (index_t k = 0, from = r.first; k < r.places && columns[from] != padding;
             ++k, from += r.step, ++at) {
          out[at] = static_cast<J>(columns[from]);
          result.values[at] = cast<T>(scaled_value(alpha, a.values[from]));
        }
        if (!tail) return;
        const J* const tail_columns = detail::raw<J>(tail->indices.view());
        for (index_t p = tails[r.row]; p < tails[r.row + 1]; ++p, ++at) {
          out[at] = tail_columns[p];
          result.values[at] = tail->values[p];
        }
      });
    });
    return result;
  });
}

template <scalar T, scalar From>
compressed<T> gather(const context& where, const ell_view<const From>& a, From alpha) {
  return gather_padded<T>(where, a, alpha, static_cast<const compressed<T>*>(nullptr));
}

template <scalar T, scalar From>
compressed<T> gather(const context& where, const sellp_view<const From>& a, From alpha) {
  return gather_padded<T>(where, a, alpha, static_cast<const compressed<T>*>(nullptr));
}

template <scalar T, scalar From>
compressed<T> gather(const context& where, const hyb_view<const From>& a, From alpha) {
  const compressed<T> tail = gather<T>(where, a.coo, alpha);
  return gather_padded<T>(where, a.ell, alpha, &tail);
}

/// f(i, j, a_ij) for the nonzeros of some rows, along the memory where that is possible; the
/// columns of one row always come in ascending order. Column-major: by blocks of rows, so that
/// what is written stays in the cache too.
template <class From, class F>
void nonzeros_of_rows(const dense_view<const From>& a, index_t begin, index_t end, F&& f) {
  const auto visit = [&](index_t i, index_t j) {
    if (const From value = a(i, j); value != From{0}) f(i, j, value);
  };
  if (a.order == layout::row_major) {
    for (index_t i = begin; i < end; ++i)
      for (index_t j = 0; j < a.shape.cols; ++j) visit(i, j);
    return;
  }
  constexpr index_t block = 64;  // rows of a column: eight cache lines of doubles; not measured
  for (index_t top = begin; top < end; top += block)
    for (index_t j = 0; j < a.shape.cols; ++j)
      for (index_t i = top; i < std::min(top + block, end); ++i) visit(i, j);
}

template <scalar T, scalar From>
compressed<T> gather(const context& where, const dense_view<const From>& a, From alpha) {
  const index_t rows = a.shape.rows;
  buffer<index_t> next(rows + 1, where.memory());
  const index_t grain = conversion_grain / std::max<index_t>(a.shape.cols, 1) + 1;
  parallel_ranges(where.threads(), rows, grain, [&](index_t begin, index_t end) {
    std::fill(next.data() + begin, next.data() + end, index_t{0});
    nonzeros_of_rows(a, begin, end, [&](index_t i, index_t, From) { ++next[i]; });
  });
  prefix_sums(where.threads(), next.span());
  compressed<T> result(where, a.shape, {next.data(), next.size()});
  with_width(result.indices.width(), [&]<class J>() {
    J* const columns = raw<J>(result.indices);
    parallel_ranges(where.threads(), rows, grain, [&](index_t begin, index_t end) {
      nonzeros_of_rows(a, begin, end, [&](index_t i, index_t j, From value) {
        const index_t at = next[i]++;
        columns[at] = static_cast<J>(j);
        result.values[at] = cast<T>(scaled_value(alpha, value));
      });
    });
  });
  return result;
}

template <scalar T, scalar From>
compressed<T> to_rows(const context& where, const any_view<const From>& view, From alpha) {
  return std::visit([&](const auto& a) { return gather<T>(where, a, alpha); }, view);
}

}  // namespace

void enter_to_rows(conversion_table& table) {
  table.for_each_type([]<class T>(conversions<T>& to) { to.to_rows = to_rows<T, T>; });
}

}  // namespace gossamer
