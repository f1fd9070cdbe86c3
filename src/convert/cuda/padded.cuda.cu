// Converts compressed rows to ELL, SELL-P and HYB on a device. Threads get equal numbers of
// nonzeros, whatever the row lengths: each finds its row and its position in it.
#include "backends/cuda/arrays.hpp"
#include "backends/cuda/runtime.hpp"
#include "convert/cuda/entries.cuh"
#include "convert/hyb_width.hpp"
#include "convert/padding.hpp"
#include "convert/row_lengths.hpp"

namespace gossamer::cuda {

namespace {

/// Calls put(row, place, column, value) for each nonzero, number `place` of row `row`.
template <class From, class Put>
void for_each_entry(const context& where, const scaled_rows<From>& from, Put put) {
  const auto& a = from.a;
  const auto rows = rows_of_entries(where, a.offsets, a.shape, a.nnz());
  const index_reader row_of(rows.view()), offsets(a.offsets), columns(a.columns);
  const From* const values = a.values;
  const From alpha = from.alpha;
  for_each(where, a.nnz(), "filling a padded format", [=] __device__(index_t p) {
    const index_t row = row_of[p];
    put(row, p - offsets[row], columns[p], scaled_value(alpha, values[p]));
  });
}

/// Row lengths by rank, sorted when a rank is asked for.
class device_ranks final : public length_ranks {
 public:
  device_ranks(const context& where, index_view offsets, index_t longest)
      : where_(where), offsets_(offsets), longest_(longest) {}
  index_t rows() const override { return offsets_.size() - 1; }
  index_t longest() const override { return longest_; }
  index_t of_rank(index_t position) const override {
    buffer<std::uint64_t> keys(rows(), where_.memory());
    const index_reader starts(offsets_);
    std::uint64_t* const key = keys.data();
    for_each(where_, rows(), "taking row lengths", [=] __device__(index_t i) {
      key[i] = static_cast<std::uint64_t>(starts[i + 1] - starts[i]);
    });
    const auto sorted = order_of(where_, std::move(keys), bits_for(longest_ + 1));
    std::uint64_t found = 0;
    copy_bytes(where_, &found, sorted.keys.data() + position, sizeof found, direction::to_host);
    return static_cast<index_t>(found);
  }

 private:
  const context& where_;
  index_view offsets_;
  index_t longest_;
};

/// Rows sorted by length inside each window, the longest first; equal lengths keep their order.
index_buffer sorted_windows(const context& where, index_view offsets, index_t window,
                            index_t longest, index_width width) {
  const index_t rows = offsets.size() - 1;
  index_buffer order(rows, width, where.memory());
  if (rows == 0) return order;
  const int length_bits = bits_for(longest + 1);
  const int bits = length_bits + bits_for((rows - 1) / window + 1);
  if (bits > 64)
    throw fail(error_kind::overflow,
               "rows of up to {} entries in {} windows do not fit 64-bit keys", count_text(longest),
               count_text((rows - 1) / window + 1));
  buffer<std::uint64_t> keys(rows, where.memory());
  const index_reader starts(offsets);
  std::uint64_t* const key = keys.data();
  for_each(where, rows, "taking row lengths", [=] __device__(index_t i) {
    key[i] = (static_cast<std::uint64_t>(i / window) << length_bits) |
             static_cast<std::uint64_t>(longest - (starts[i + 1] - starts[i]));
  });
  const auto sorted = order_of(where, std::move(keys), bits);
  const std::uint64_t* const from = sorted.from.data();
  const index_writer out(order.view());
  for_each(where, rows, "ordering rows",
           [=] __device__(index_t i) { out.set(i, static_cast<index_t>(from[i])); });
  return order;
}

/// The position of each row: the inverse of a row order; empty when that is.
index_buffer positions_of(const context& where, index_view order) {
  index_buffer positions(order.size(), order.width(), where.memory());
  const index_reader row_at(order);
  const index_writer out(positions.view());
  for_each(where, order.size(), "inverting a row order",
           [=] __device__(index_t position) { out.set(row_at[position], position); });
  return positions;
}

/// Widths of the slices, each that of its longest row rounded up, as offsets in positions per row,
/// and the last of them.
struct slice_heights {
  buffer<index_t> sums;
  index_t height = 0;
};
slice_heights slice_offsets(const context& where, index_view offsets, index_view positions,
                            const convert_options& how) {
  const index_t rows = offsets.size() - 1, slice = how.slice, factor = how.stride_factor;
  const index_t slices = rows == 0 ? 0 : (rows - 1) / slice + 1;
  slice_heights heights{buffer<index_t>(slices + 1, where.memory())};
  heights.sums.set(0);
  auto* const widths = reinterpret_cast<unsigned long long*>(heights.sums.data());
  const index_reader starts(offsets), position_of(positions);
  const bool sorted = positions.size() > 0;
  for_each(where, rows, "measuring slices", [=] __device__(index_t i) {
    const index_t position = sorted ? position_of[i] : i;
    atomicMax(widths + position / slice,
              static_cast<unsigned long long>(starts[i + 1] - starts[i]));
  });
  index_t* const sum = heights.sums.data();
  for_each(where, slices, "rounding slices",
           [=] __device__(index_t s) { sum[s] = (sum[s] + factor - 1) / factor * factor; });
  heights.height = exclusive_sums(where, heights.sums);
  return heights;
}

template <scalar T, scalar From>
ell_matrix<T> to_ell(const context& where, const scaled_rows<From>& from,
                     const convert_options& how) {
  const device_guard on(where);
  require_factor("the stride factor of ELL", how.stride_factor);
  const auto& a = from.a;
  const index_t width = longest_line(where, a.offsets);
  const index_t stride = round_up(a.shape.rows, how.stride_factor);
  require_reasonable(ell_size(a.shape, a.nnz(), width, stride, value_type_of<T>),
                     how.padding_limit);
  ell_matrix<T> result(a.shape, width, stride, a.nnz(), narrowest(a.shape, 0).indices,
                       where.memory());
  const auto out = result.mutable_view();
  const index_writer columns(out.columns);
  T* const values = out.values;
  for_each_entry(where, from,
                 [=] __device__(index_t row, index_t place, index_t column, From value) {
                   const index_t at = place * stride + row;
                   columns.set(at, column);
                   values[at] = static_cast<T>(value);
                 });
  return result;
}

template <scalar T, scalar From>
sellp_matrix<T> to_sellp(const context& where, const scaled_rows<From>& from,
                         const convert_options& how) {
  const device_guard on(where);
  require_sellp_factors(how);
  const auto& a = from.a;
  const auto index = narrowest(a.shape, 0).indices;
  const index_t longest = longest_line(where, a.offsets);
  index_buffer order, positions;
  if (how.sort_window > 1) {
    order = sorted_windows(where, a.offsets, how.sort_window, longest, index);
    positions = positions_of(where, order.view());
  }
  const auto [sums, height] = slice_offsets(where, a.offsets, positions.view(), how);
  require_reasonable(sellp_size(a.shape, a.nnz(), longest, height, how.slice, value_type_of<T>),
                     how.padding_limit);
  index_buffer offsets(sums.size(), narrowest(a.shape, height).offsets, where.memory());
  copy_indices(where, index_view(sums.data(), sums.size()), offsets.view());
  sellp_matrix<T> result(a.shape, how.slice, height, std::move(offsets), std::move(order), a.nnz(),
                         where.memory());
  const auto out = result.mutable_view();
  const index_writer columns(out.columns);
  const index_reader position_of(positions.view());
  const index_t* const start = sums.data();
  const index_t slice = how.slice;
  const bool sorted = positions.size() > 0;
  T* const values = out.values;
  for_each_entry(where, from,
                 [=] __device__(index_t row, index_t place, index_t column, From value) {
                   const index_t position = sorted ? position_of[row] : row;
                   const index_t at = (start[position / slice] + place) * slice + position % slice;
                   columns.set(at, column);
                   values[at] = static_cast<T>(value);
                 });
  return result;
}

template <scalar T, scalar From>
hyb_matrix<T> to_hyb(const context& where, const scaled_rows<From>& from,
                     const convert_options& how) {
  const device_guard on(where);
  const auto& a = from.a;
  const auto index = narrowest(a.shape, 0).indices;
  const index_t rows = a.shape.rows, longest = longest_line(where, a.offsets);
  const device_ranks ranks(where, a.offsets, longest);
  // A column limit beyond the longest row would only add padding.
  const index_t width = std::min(hyb_width(ranks, how.hyb, value_type_of<T>, index), longest);
  require_reasonable(hyb_size(a.shape, a.nnz(), longest, width, value_type_of<T>),
                     how.padding_limit);
  buffer<index_t> starts(rows + 1, where.memory());
  index_t* const start = starts.data();
  const index_reader offsets(a.offsets);
  for_each(where, rows, "counting what is left over", [=] __device__(index_t i) {
    const index_t length = offsets[i + 1] - offsets[i];
    start[i] = length > width ? length - width : 0;
  });
  const index_t left_over = exclusive_sums(where, starts);
  ell_matrix<T> first(a.shape, width, rows, a.nnz() - left_over, index, where.memory());
  coo_matrix<T> rest(a.shape, left_over, index, where.memory());
  const auto ell = first.mutable_view();
  const auto coo = rest.mutable_view();
  const index_writer ell_columns(ell.columns), coo_rows(coo.rows), coo_columns(coo.columns);
  T *const ell_values = ell.values, *const coo_values = coo.values;
  for_each_entry(where, from,
                 [=] __device__(index_t row, index_t place, index_t column, From value) {
                   if (place < width) {
                     ell_columns.set(place * rows + row, column);
                     ell_values[place * rows + row] = static_cast<T>(value);
                     return;
                   }
                   const index_t at = start[row] + place - width;
                   coo_rows.set(at, row);
                   coo_columns.set(at, column);
                   coo_values[at] = static_cast<T>(value);
                 });
  return {std::move(first), std::move(rest)};
}

}  // namespace

void enter_padded(conversion_table& table) {
  table.for_each_type([]<class T>(conversions<T>& to) {
    to.to_ell = to_ell<T, T>;
    to.to_sellp = to_sellp<T, T>;
    to.to_hyb = to_hyb<T, T>;
  });
}

}  // namespace gossamer::cuda
