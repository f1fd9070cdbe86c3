// Converts every format to compressed rows on a device. Orders come from a stable radix sort, sizes
// from prefix sums, so that the arrays equal those of the host.
#include "backends/cuda/arrays.hpp"
#include "convert/cuda/entries.cuh"

namespace gossamer::cuda {

namespace {

template <scalar T, scalar From>
compressed<T> gather(const context& where, const csr_view<const From>& a, From alpha) {
  compressed<T> result(where, a.shape, a.nnz());
  if (a.shape.rows == 0)
    result.offsets.set(0);
  else
    copy_indices(where, a.offsets, result.offsets.view());
  const index_reader columns(a.columns);
  const index_writer out(result.indices.view());
  const From* const values = a.values;
  T* const out_values = result.values.data();
  for_each(where, a.nnz(), "copying entries", [=] __device__(index_t p) {
    out.set(p, columns[p]);
    out_values[p] = static_cast<T>(scaled_value(alpha, values[p]));
  });
  return result;
}

/// Gathers nonzeros in row order: `from[p]` is the current position of nonzero p of the result,
/// `row_at[p]` its row.
template <class T, class From, class Rows, class Places>
void fill_sorted(const context& where, const coo_view<const From>& a, From alpha, Rows row_at,
                 Places from, compressed<T>& result) {
  const index_t nnz = a.nnz();
  const index_writer offsets(result.offsets.view()), out(result.indices.view());
  for_each(where, a.shape.rows + 1, "finding where rows begin",
           [=] __device__(index_t i) { offsets.set(i, first_not_below(row_at, nnz, i)); });
  const index_reader columns(a.columns);
  const From* const values = a.values;
  T* const out_values = result.values.data();
  for_each(where, nnz, "bringing entries in row order", [=] __device__(index_t p) {
    const index_t at = from(p);
    out.set(p, columns[at]);
    out_values[p] = static_cast<T>(scaled_value(alpha, values[at]));
  });
}

/// Keys as signed 64-bit numbers, to be compared with rows.
template <class Key>
struct key_reader {
  const Key* keys;
  __device__ index_t operator[](index_t p) const { return static_cast<index_t>(keys[p]); }
};

template <class Key, class T, class From>
void sort_rows(const context& where, const coo_view<const From>& a, From alpha,
               compressed<T>& result) {
  buffer<Key> keys(a.nnz(), where.memory());
  const index_reader rows(a.rows);
  Key* const key = keys.data();
  for_each(where, a.nnz(), "copying rows",
           [=] __device__(index_t p) { key[p] = static_cast<Key>(rows[p]); });
  const auto sorted = order_of(where, std::move(keys), bits_for(a.shape.rows));
  const Key* const places = sorted.from.data();
  fill_sorted<T, From>(
      where, a, alpha, key_reader<Key>{sorted.keys.data()},
      [=] __device__(index_t p) { return static_cast<index_t>(places[p]); }, result);
}

template <scalar T, scalar From>
compressed<T> gather(const context& where, const coo_view<const From>& a, From alpha) {
  compressed<T> result(where, a.shape, a.nnz());
  constexpr index_t narrow = index_t{1} << 31;
  if (ascends(where, a.rows))
    fill_sorted<T, From>(
        where, a, alpha, index_reader(a.rows), [] __device__(index_t p) { return p; }, result);
  else if (std::max(a.nnz(), a.shape.rows) < narrow)
    sort_rows<std::uint32_t>(where, a, alpha, result);
  else
    sort_rows<std::uint64_t>(where, a, alpha, result);
  return result;
}

/// Triplets sorted by column; the stable sort by rows keeps that order within each row.
template <scalar T, scalar From>
compressed<T> gather(const context& where, const csc_view<const From>& a, From alpha) {
  index_buffer columns(a.nnz(), a.rows.width(), where.memory());
  lines_of_entries(where, a.offsets, columns.view());
  return gather<T>(
      where,
      coo_view<const From>(a.shape, a.rows, index_view(columns.view()), a.values, memory::device),
      alpha);
}

/// A row of a padded format: positions first, first + step, ...
struct padded_row {
  index_t row, first, step, places;
};

struct ell_rows {
  index_t stride, width;
  template <class T>
  explicit ell_rows(const ell_view<T>& a) : stride(a.stride), width(a.width) {}
  __device__ padded_row operator()(index_t position) const {
    return {position, position, stride, width};
  }
};

struct sellp_rows {
  index_reader offsets, order;
  index_t slice;
  bool sorted;
  template <class T>
  explicit sellp_rows(const sellp_view<T>& a)
      : offsets(a.slice_offsets),
        order(a.row_order),
        slice(a.slice),
        sorted(a.row_order.size() > 0) {}
  __device__ padded_row operator()(index_t position) const {
    const index_t s = position / slice, start = offsets[s];
    return {sorted ? order[position] : position, start * slice + position % slice, slice,
            offsets[s + 1] - start};
  }
};

/// The nonzeros that follow each row: the COO part of HYB in row order, or none.
template <class T>
struct row_tails {
  index_reader offsets, columns;
  const T* values;
  bool any;
  __device__ index_t begin(index_t row) const { return any ? offsets[row] : 0; }
  __device__ index_t end(index_t row) const { return any ? offsets[row + 1] : 0; }
};

template <scalar T, class Padded, class RowAt, scalar From>
compressed<T> gather_padded(const context& where, const Padded& a, RowAt row_at, From alpha,
                            const compressed<T>* behind) {
  const index_t rows = a.shape.rows;
  const row_tails<T> tail{behind ? index_view(behind->offsets.view()) : index_view(),
                          behind ? index_view(behind->indices.view()) : index_view(),
                          behind ? behind->values.data() : nullptr, behind != nullptr};
  const index_reader columns(a.columns);
  buffer<index_t> sums(rows + 1, where.memory());
  index_t* const sum = sums.data();
  for_each(where, rows, "counting entries of rows", [=] __device__(index_t position) {
    const padded_row r = row_at(position);
    index_t length = 0;
    while (length < r.places && columns[r.first + length * r.step] != padding) ++length;
    sum[r.row] = length + tail.end(r.row) - tail.begin(r.row);
  });
  const index_t nnz = exclusive_sums(where, sums);
  compressed<T> result(where, a.shape, nnz);
  copy_indices(where, index_view(sums.data(), sums.size()), result.offsets.view());
  const index_writer out(result.indices.view());
  const From* const values = a.values;
  T* const out_values = result.values.data();
  for_each(where, rows, "copying entries of rows", [=] __device__(index_t position) {
    const padded_row r = row_at(position);
    index_t at = sum[r.row], from = r.first;
    for (index_t k = 0; k < r.places; ++k, from += r.step, ++at) {
      const index_t column = columns[from];
      if (column == padding) break;
      out.set(at, column);
      out_values[at] = static_cast<T>(scaled_value(alpha, values[from]));
    }
    for (index_t p = tail.begin(r.row); p < tail.end(r.row); ++p, ++at) {
      out.set(at, tail.columns[p]);
      out_values[at] = tail.values[p];
    }
  });
  return result;
}

template <scalar T, scalar From>
compressed<T> gather(const context& where, const ell_view<const From>& a, From alpha) {
  return gather_padded<T>(where, a, ell_rows(a), alpha, static_cast<const compressed<T>*>(nullptr));
}

template <scalar T, scalar From>
compressed<T> gather(const context& where, const sellp_view<const From>& a, From alpha) {
  return gather_padded<T>(where, a, sellp_rows(a), alpha,
                          static_cast<const compressed<T>*>(nullptr));
}

template <scalar T, scalar From>
compressed<T> gather(const context& where, const hyb_view<const From>& a, From alpha) {
  const compressed<T> tail = gather<T>(where, a.coo, alpha);
  return gather_padded<T>(where, a.ell, ell_rows(a.ell), alpha, &tail);
}

/// One warp per row: lanes read 32 columns, and those with a nonzero compute their positions by a
/// ballot.
template <bool Fill, class T, class From>
__global__ void __launch_bounds__(block_size)
    dense_rows(dense_view<const From> a, From alpha, index_t* sums, index_writer columns,
               T* values) {
  const index_t row_step = a.order == layout::row_major ? a.stride : 1;
  const index_t col_step = a.order == layout::row_major ? 1 : a.stride;
  const unsigned lane = threadIdx.x % 32;
  for (index_t row = first_element() / 32; row < a.shape.rows; row += element_stride() / 32) {
    index_t at = Fill ? sums[row] : 0;
    for (index_t first = 0; first < a.shape.cols; first += 32) {
      const index_t column = first + lane;
      const From value =
          column < a.shape.cols ? a.values[row * row_step + column * col_step] : From{0};
      const bool found = value != From{0};  // true for NaN
      const unsigned all = __ballot_sync(0xffffffffU, found);
      if (Fill && found) {
        const index_t place = at + __popc(all & ((1U << lane) - 1));
        columns.set(place, column);
        values[place] = static_cast<T>(scaled_value(alpha, value));
      }
      at += __popc(all);
    }
    if (!Fill && lane == 0) sums[row] = at;
  }
}

template <scalar T, scalar From>
compressed<T> gather(const context& where, const dense_view<const From>& a, From alpha) {
  buffer<index_t> sums(a.shape.rows + 1, where.memory());
  const unsigned blocks = blocks_for(a.shape.rows * 32, where.device());
  dense_rows<false, T, From>
      <<<blocks, block_size, 0, stream_of(where)>>>(a, alpha, sums.data(), index_span(), nullptr);
  check(cudaGetLastError(), "counting nonzeros of {} could not be launched", shape_text(a.shape));
  compressed<T> result(where, a.shape, exclusive_sums(where, sums));
  copy_indices(where, index_view(sums.data(), sums.size()), result.offsets.view());
  dense_rows<true, T, From><<<blocks, block_size, 0, stream_of(where)>>>(
      a, alpha, sums.data(), result.indices.view(), result.values.data());
  check(cudaGetLastError(), "copying nonzeros of {} could not be launched", shape_text(a.shape));
  return result;
}

template <scalar T, scalar From>
compressed<T> to_rows(const context& where, const any_view<const From>& view, From alpha) {
  const device_guard on(where);
  return std::visit([&](const auto& a) { return gather<T>(where, a, alpha); }, view);
}

}  // namespace

void enter_to_rows(conversion_table& table) {
  table.for_each_type([]<class T>(conversions<T>& to) { to.to_rows = to_rows<T, T>; });
}

}  // namespace gossamer::cuda
