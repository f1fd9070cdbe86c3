// Compressed rows to ELL, SELL-P and HYB. Nonzeros keep their order in the row; padding follows
// them. HYB has the first nonzeros of each row in ELL and the others in COO.
#include "base/text.hpp"
#include "convert/conversions.hpp"
#include "convert/padding.hpp"
#include "convert/row_lengths.hpp"
#include "convert/triplets.hpp"
#include "formats/typed.hpp"

namespace gossamer {

namespace {

/// Rows sorted by length inside each window, the longest first; equal lengths keep their order.
index_buffer sorted_windows(const context& where, index_view offsets, index_t window,
                            index_width width) {
  const index_t rows = offsets.size() - 1;
  index_buffer order(rows, width, where.memory());
  if (rows == 0) return order;
  with_width(width, [&]<class J>() {
    J* const rows_in_order = raw<J>(order);
    const auto longer = [&](J a, J b) {
      return offsets[index_t{a} + 1] - offsets[a] > offsets[index_t{b} + 1] - offsets[b];
    };
    parallel_chunks(where.threads(), (rows - 1) / window + 1, [&](index_t chunk) {
      const index_t begin = chunk * window, end = std::min(begin + window, rows);
      for (index_t i = begin; i < end; ++i) rows_in_order[i] = static_cast<J>(i);
      std::stable_sort(rows_in_order + begin, rows_in_order + end, longer);
    });
  });
  return order;
}

/// Widths of the slices, each that of its longest row rounded up, as offsets in positions per row.
buffer<index_t> slice_offsets(const context& where, index_view offsets, index_view order,
                              const convert_options& how) {
  const index_t rows = offsets.size() - 1;
  const index_t slices = rows == 0 ? 0 : (rows - 1) / how.slice + 1;
  buffer<index_t> sums(slices + 1, where.memory());
  parallel_ranges(where.threads(), slices, conversion_grain / how.slice + 1,
                  [&](index_t begin, index_t end) {
                    for (index_t s = begin; s < end; ++s) {
                      index_t longest = 0;
                      const index_t last = std::min((s + 1) * how.slice, rows);
                      for (index_t position = s * how.slice; position < last; ++position) {
                        const index_t i = order.size() > 0 ? order[position] : position;
                        longest = std::max(longest, offsets[i + 1] - offsets[i]);
                      }
                      sums[s] = round_up(longest, how.stride_factor);
                    }
                  });
  prefix_sums(where.threads(), sums.span());
  return sums;
}

/// Fills one row: its first position is `at`, the next `step` further.
template <scalar T, class J, scalar From, class I>
void fill_row(const scaled_rows<From>& from, const I* columns, range entries, J* out_columns,
              T* out_values, index_t step) {
  for (index_t p = entries.begin, at = 0; p < entries.end; ++p, at += step) {
    out_columns[at] = static_cast<J>(columns[p]);
    out_values[at] = cast<T>(scaled_value(from.alpha, from.a.values[p]));
  }
}

/// As many nonzeros of each row as the ELL matrix has places for go there, from the first on.
template <scalar T, scalar From>
void fill_ell(const context& where, const scaled_rows<From>& from, ell_matrix<T>& to) {
  const auto& a = from.a;
  const auto out = to.mutable_view();
  with_two_widths(a.columns.width(), out.columns.width(), [&]<class I, class J>() {
    const I* const columns = detail::raw<I>(a.columns);
    J* const out_columns = out.columns.template as<J>().data();
    parallel_rows(where.threads(), a.offsets, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) {
        const index_t first = a.offsets[i];
        const range entries{first, std::min<index_t>(a.offsets[i + 1], first + out.width)};
        fill_row(from, columns, entries, out_columns + i, out.values + i, out.stride);
      }
    });
  });
}

template <scalar T, scalar From>
ell_matrix<T> to_ell(const context& where, const scaled_rows<From>& from,
                     const convert_options& how) {
  require_factor("the stride factor of ELL", how.stride_factor);
  const auto& a = from.a;
  const index_t width = longest_row(where, a.offsets);
  const index_t stride = round_up(a.shape.rows, how.stride_factor);
  require_reasonable(ell_size(a.shape, a.nnz(), width, stride, value_type_of<T>),
                     how.padding_limit);
  ell_matrix<T> result(a.shape, width, stride, a.nnz(), narrowest(a.shape, 0).indices,
                       where.memory());
  fill_ell(where, from, result);
  return result;
}

template <scalar T, scalar From>
sellp_matrix<T> to_sellp(const context& where, const scaled_rows<From>& from,
                         const convert_options& how) {
  require_sellp_factors(how);
  const auto& a = from.a;
  const auto index = narrowest(a.shape, 0).indices;
  index_buffer order;
  if (how.sort_window > 1) order = sorted_windows(where, a.offsets, how.sort_window, index);
  const auto sums = slice_offsets(where, a.offsets, order.view(), how);
  const index_t height = sums[sums.size() - 1];
  require_reasonable(sellp_size(a.shape, a.nnz(), longest_row(where, a.offsets), height, how.slice,
                                value_type_of<T>),
                     how.padding_limit);
  const auto offset_width = narrowest(a.shape, height).offsets;
  sellp_matrix<T> result(a.shape, how.slice,
                         copy_indices(where, {sums.data(), sums.size()}, offset_width),
                         std::move(order), a.nnz(), where.memory());
  const auto out = result.mutable_view();
  with_two_widths(a.columns.width(), out.columns.width(), [&]<class I, class J>() {
    const I* const columns = detail::raw<I>(a.columns);
    J* const out_columns = out.columns.template as<J>().data();
    parallel_ranges(
        where.threads(), a.shape.rows, conversion_grain / 8, [&](index_t begin, index_t end) {
          for (index_t position = begin; position < end; ++position) {
            const index_t i = out.row_order.size() > 0 ? out.row_order[position] : position;
            const index_t at = sums[position / out.slice] * out.slice + position % out.slice;
            fill_row(from, columns, range{a.offsets[i], a.offsets[i + 1]}, out_columns + at,
                     out.values + at, out.slice);
          }
        });
  });
  return result;
}

template <scalar T, scalar From>
hyb_matrix<T> to_hyb(const context& where, const scaled_rows<From>& from,
                     const convert_options& how) {
  const auto& a = from.a;
  const auto index = narrowest(a.shape, 0).indices;
  const auto lengths = row_lengths(where, a.offsets);
  const index_t longest = longest_row(where, a.offsets);
  // A column limit beyond the longest row would only add padding.
  const index_t width =
      std::min(hyb_width(lengths.span(), how.hyb, value_type_of<T>, index), longest);
  require_reasonable(hyb_size(a.shape, a.nnz(), longest, width, value_type_of<T>),
                     how.padding_limit);
  buffer<index_t> starts(a.shape.rows + 1, where.memory());
  parallel_ranges(where.threads(), a.shape.rows, conversion_grain, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) starts[i] = std::max<index_t>(lengths[i] - width, 0);
  });
  prefix_sums(where.threads(), starts.span());
  const index_t left_over = starts[a.shape.rows];
  ell_matrix<T> first(a.shape, width, a.shape.rows, a.nnz() - left_over, index, where.memory());
  fill_ell(where, from, first);
  return {std::move(first), to_triplets<T>(where, from, width, starts.span(), left_over)};
}

}  // namespace

void enter_padded(conversion_table& table) {
  table.for_each_type([]<class T>(conversions<T>& to) {
    to.to_ell = to_ell<T, T>;
    to.to_sellp = to_sellp<T, T>;
    to.to_hyb = to_hyb<T, T>;
  });
}

}  // namespace gossamer
