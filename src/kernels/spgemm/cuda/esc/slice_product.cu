#include "kernels/spgemm/cuda/esc/slice_product.cuh"

#include "backends/cuda/arithmetic.cuh"
#include "backends/cuda/launch.cuh"
#include "base/bits.hpp"
#include "gossamer/complex.hpp"

namespace gossamer::device {

namespace {

/// The last place in [low, high) whose element is at most `wanted`; that of `low` is.
__device__ index_t last_not_above(const index_t* sorted, index_t low, index_t high,
                                  index_t wanted) {
  while (high - low > 1) {
    const index_t middle = low + (high - low) / 2;
    if (sorted[middle] <= wanted)
      low = middle;
    else
      high = middle;
  }
  return low;
}

using cuda::plus, cuda::scaled_value,
    cuda::times;  // rounded once, and never fused: the bits of the host

/// Where multiplications are written to; `values` may be null.
template <class T, class Key>
struct expansion {
  Key* columns;
  Key* keys;  ///< the columns again, to be sorted
  std::uint32_t* rows;
  std::uint32_t* places;
  T* values;
};

/// Multiplications of a block at a time: its threads search in the few rows and nonzeros of A that
/// these have, which two of them find in all of the slice.
constexpr index_t tile_products = 8 * cuda::block_size;

template <class T, class Key>
__global__ void __launch_bounds__(cuda::block_size)
    expand_tiles(esc_factors<T> f, row_cut first, row_cut last, expansion<T, Key> to) {
  __shared__ index_t row_of[2], entry_of[2];
  const index_t count = last.product - first.product;
  for (index_t tile = blockIdx.x * tile_products; tile < count; tile += gridDim.x * tile_products) {
    const index_t end = min(tile + tile_products, count);
    __syncthreads();  // the last tile is done with the shared numbers
    if (threadIdx.x < 2) {
      const index_t wanted = first.product + (threadIdx.x == 0 ? tile : end - 1);
      row_of[threadIdx.x] = last_not_above(f.before_row, first.row, last.row, wanted);
      entry_of[threadIdx.x] = last_not_above(f.before_entry, first.entry, last.entry, wanted);
    }
    __syncthreads();
    for (index_t t = tile + threadIdx.x; t < end; t += cuda::block_size) {
      const index_t wanted = first.product + t;
      const index_t row = last_not_above(f.before_row, row_of[0], row_of[1] + 1, wanted);
      const index_t p = last_not_above(f.before_entry, entry_of[0], entry_of[1] + 1, wanted);
      const index_t q = f.b_offsets[f.a_columns[p]] + (wanted - f.before_entry[p]);
      const auto column = static_cast<Key>(f.b_columns[q]);
      to.columns[t] = column;
      to.keys[t] = column;
      to.rows[t] = static_cast<std::uint32_t>(row - first.row);
      to.places[t] = static_cast<std::uint32_t>(t);
      if (to.values)
        to.values[t] = times(conjugated_if(f.conjugate_a, f.a_values[p]),
                             conjugated_if(f.conjugate_b, f.b_values[q]));
    }
  }
}

unsigned tiles_for(index_t count, int device) {
  const index_t most = index_t{cuda::properties(device).multiprocessors} * 16;
  return static_cast<unsigned>(
      std::clamp<index_t>((count + tile_products - 1) / tile_products, 1, most));
}

template <class Element>
struct wide_reader {
  const Element* data;
  __device__ index_t operator[](index_t at) const { return static_cast<index_t>(data[at]); }
};

template <class Element>
void gather(const context& where, const char* what, const Element* from,
            const std::uint32_t* places, index_t count, Element* to) {
  cuda::for_each(where, count, what, [=] __device__(index_t i) { to[i] = from[places[i]]; });
}

/// flags[i] is 1 where a nonzero of C begins; one more, 0, at the end.
template <class Key>
void flag_heads(const context& where, const std::uint32_t* rows, const Key* columns, index_t count,
                std::uint32_t* flags) {
  cuda::for_each(where, count + 1, "where nonzeros begin", [=] __device__(index_t i) {
    flags[i] = i < count && (i == 0 || rows[i] != rows[i - 1] || columns[i] != columns[i - 1]);
  });
}

/// The sorted multiplications of a slice.
template <class T, class Key>
struct sorted_products {
  const Key* columns;
  const std::uint32_t* order;
  const std::uint32_t* number;
  const std::uint32_t* rows;  ///< of the slice
  const T* values;
};

/// Each nonzero of C is added up by one thread, in the order of its multiplications.
template <class T, class Key, class Output>
void add_runs(const context& where, sorted_products<T, Key> from, row_cut first, row_cut last,
              Output to) {
  const index_t count = last.product - first.product, first_row = first.row;
  const listed_places rows = to.rows;
  const cuda::index_writer columns(to.columns);
  T* const values = to.values;
  const index_t* const base = to.base;
  const T alpha = to.alpha;
  cuda::for_each(where, count, "adding up nonzeros", [=] __device__(index_t i) {
    const std::uint32_t number = from.number[i];
    if (from.number[i + 1] == number) return;  // not the first of its nonzero
    T sum = 0;
    index_t k = i;
    do {
      sum = plus(sum, from.values[from.order[k]]);
      ++k;
    } while (k < count && from.number[k + 1] == number + 1);
    index_t at = (base ? *base : 0) + number;
    if (rows.list) {
      const index_t row = first_row + from.rows[i];
      at += rows.places[rows.list[row]] - rows.offsets[row] + rows.offsets[first_row];
    }
    columns.set(at, static_cast<index_t>(from.columns[i]));
    values[at] = scaled_value(alpha, sum);
  });
}

/// The end of every row of a slice; rows are numbered from 0.
void end_rows(const context& where, const std::uint32_t* sorted_rows, const std::uint32_t* number,
              index_t count, index_t rows, index_t* offsets) {
  const wide_reader<std::uint32_t> row{sorted_rows};
  cuda::for_each(where, rows, "where rows end", [=] __device__(index_t i) {
    offsets[i + 1] =
        offsets[0] + (count == 0 ? 0 : number[cuda::first_not_below(row, count, i + 1)]);
  });
}

}  // namespace

template <class T, class Key>
index_t slice_workspace<T, Key>::bytes_for(const context& where, index_t products) {
  return products * index_t{3 * sizeof(Key) + sizeof(T)} +
         3 * (products + 1) * index_t{sizeof(std::uint32_t)} +
         sorting_bytes(where, products, index_t{sizeof(Key)});
}

template <class T, class Key>
index_t slice_workspace<T, Key>::products_within(const context& where, index_t bytes,
                                                 index_t most) {
  index_t low = 0, high = most;
  while (low < high) {
    const index_t middle = low + (high - low + 1) / 2;
    if (bytes_for(where, middle) <= bytes)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

template <class T, class Key>
slice_workspace<T, Key>::slice_workspace(const context& where, index_t products)
    : columns_(products, where.memory()),
      keys_{buffer<Key>(products, where.memory()), buffer<Key>(products, where.memory())},
      rows_(products + 1, where.memory()),
      places_{buffer<std::uint32_t>(products + 1, where.memory()),
              buffer<std::uint32_t>(products + 1, where.memory())},
      values_(products, where.memory()),
      scratch_(sorting_bytes(where, products, index_t{sizeof(Key)}), where.memory()) {}

template <class T, class Key>
void slice_workspace<T, Key>::expand(const context& where, const esc_factors<T>& f, row_cut first,
                                     row_cut last, wanted which) {
  const index_t count = last.product - first.product;
  if (count == 0) return;
  const expansion<T, Key> to{columns_.data(), keys_[0].data(), rows_.data(), places_[0].data(),
                             which == wanted::values ? values_.data() : nullptr};
  expand_tiles<<<tiles_for(count, where.device()), cuda::block_size, 0, cuda::stream_of(where)>>>(
      f, first, last, to);
  cuda::check(cudaGetLastError(), "expanding {} multiplications could not be launched",
              count_text(count));
}

template <class T, class Key>
void slice_workspace<T, Key>::sort(const context& where, row_cut first, row_cut last,
                                   index_t columns) {
  const index_t count = last.product - first.product, rows = last.row - first.row;
  if (count == 0) return;
  two_arrays<Key> keys{keys_[0].data(), keys_[1].data()};
  two_arrays<std::uint32_t> places{places_[0].data(), places_[1].data()};
  sort_pairs(where, keys, places, count, bits_below(columns), scratch());
  // The order by columns is in `places`; the keys have served.
  two_arrays<std::uint32_t> row_keys{reinterpret_cast<std::uint32_t*>(keys.now),
                                     reinterpret_cast<std::uint32_t*>(keys.other)};
  gather<std::uint32_t>(where, "rows by columns", rows_.data(), places.now, count, row_keys.now);
  if (rows > 1) sort_pairs(where, row_keys, places, count, bits_below(rows), scratch());
  auto* const sorted = reinterpret_cast<Key*>(row_keys.other);
  gather<Key>(where, "columns by rows", columns_.data(), places.now, count, sorted);
  flag_heads(where, row_keys.now, sorted, count, rows_.data());
  exclusive_sums(where, rows_.data(), places.other, count + 1, scratch());
  sorted_rows_ = row_keys.now;
  sorted_columns_ = sorted;
  order_ = places.now;
  number_ = places.other;
}

template <class T, class Key>
void slice_workspace<T, Key>::count(const context& where, row_cut first, row_cut last,
                                    index_t* offsets) const {
  end_rows(where, sorted_rows_, number_, last.product - first.product, last.row - first.row,
           offsets + first.row);
}

template <class T, class Key>
void slice_workspace<T, Key>::contract(const context& where, row_cut first, row_cut last,
                                       const output& to) const {
  add_runs<T, Key>(where, {sorted_columns_, order_, number_, sorted_rows_, values_.data()}, first,
                   last, to);
}

template class slice_workspace<float, std::uint32_t>;
template class slice_workspace<float, std::uint64_t>;
template class slice_workspace<double, std::uint32_t>;
template class slice_workspace<double, std::uint64_t>;
template class slice_workspace<std::complex<float>, std::uint32_t>;
template class slice_workspace<std::complex<float>, std::uint64_t>;
template class slice_workspace<std::complex<double>, std::uint32_t>;
template class slice_workspace<std::complex<double>, std::uint64_t>;

}  // namespace gossamer::device
