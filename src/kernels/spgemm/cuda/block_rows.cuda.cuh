// Rows of C with up to 12,288 multiplications whose columns are scattered, one per block: expand
// into shared memory, radix sort by column (stable, so that the multiplications of a column keep
// their order), contract. Only columns and numbers of multiplications move; values stay where they
// are.
#pragma once

#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_scan.cuh>

#include "kernels/spgemm/cuda/warp_segments.cuh"

namespace gossamer::device {

/// Columns that sort keys hold.
template <class Columns>
using column_key = std::conditional_t<std::is_pointer_v<Columns>, std::uint32_t, std::uint64_t>;

template <class T, class Key, int Threads, int Items>
struct block_space {
  static constexpr int most = Threads * Items;
  using sort = cub::BlockRadixSort<Key, Threads, Items, std::uint16_t>;
  using scan = cub::BlockScan<int, Threads>;
  union {
    typename sort::TempStorage sorting;
    struct {
      Key keys[most];
      std::uint16_t numbers[most];
    } sorted;
    struct {
      Key columns[most];
      typename scan::TempStorage scanning;
      index_t first[Threads];
      T factor[Threads];
      int start[Threads];
    } expanding;
  };
  T values[most];
  int warp_counts[Threads / warp_size];
};

/// The last segment that starts at or before `wanted`: empty ones before it have the same start.
__device__ inline int segment_of(const int* starts, int segments, int wanted) {
  int low = 0, high = segments;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (starts[middle] <= wanted)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Expands a row into columns and values; returns the number of multiplications.
template <int Threads, class Product, class Arithmetic, class Space>
__device__ int expand_block(const Product& of, const Arithmetic& by, index_t row, bool with_values,
                            Space& space) {
  auto& at = space.expanding;
  const int thread = static_cast<int>(threadIdx.x);
  const index_t end = of.a.offsets[row + 1];
  int done = 0;
  for (index_t k = of.a.offsets[row]; k < end; k += Threads) {
    index_t begin = 0;
    int length = 0, before = 0, total = 0;
    if (k + thread < end) {
      const index_t j = of.a.columns[k + thread];
      begin = of.b.offsets[j];
      length = static_cast<int>(of.b.offsets[j + 1] - begin);
      if (with_values) at.factor[thread] = of.a.values[k + thread];
    }
    typename Space::scan(at.scanning).ExclusiveSum(length, before, total);
    at.start[thread] = before;
    at.first[thread] = begin - before;
    __syncthreads();
    const int segments = static_cast<int>(min(end - k, index_t{Threads}));
    for (int t = thread; t < total; t += Threads) {
      const int segment = segment_of(at.start, segments, t);
      const index_t p = at.first[segment] + t;
      at.columns[done + t] =
          static_cast<std::remove_reference_t<decltype(at.columns[0])>>(of.b.columns[p]);
      if (with_values) space.values[done + t] = by.multiply(at.factor[segment], of.b.values[p]);
    }
    done += total;
    __syncthreads();
  }
  return done;
}

template <int Threads, int Items, class Space, class Key>
__device__ void sort_block(Space& space, int total, int bits, Key) {
  Key keys[Items];
  std::uint16_t numbers[Items];
  const int first = static_cast<int>(threadIdx.x) * Items;
#pragma unroll
  for (int q = 0; q < Items; ++q) {
    // Padding comes last: no column is greater, and the sort is stable.
    keys[q] = first + q < total ? space.expanding.columns[first + q] : ~Key{0};
    numbers[q] = static_cast<std::uint16_t>(first + q);
  }
  __syncthreads();
  typename Space::sort(space.sorting).SortBlockedToStriped(keys, numbers, 0, bits);
  __syncthreads();
#pragma unroll
  for (int q = 0; q < Items; ++q) {
    const int at = q * Threads + static_cast<int>(threadIdx.x);
    space.sorted.keys[at] = keys[q];
    space.sorted.numbers[at] = numbers[q];
  }
  __syncthreads();
}

/// Adds up runs of equal columns and stores them; returns their number.
template <int Threads, class Product, class Arithmetic, class Space, class T>
__device__ int contract_block(const Product& of, const Arithmetic& by, expanded_row mine,
                              const row_target<T>& to, Space& space) {
  const auto [row, total] = mine;
  const auto& sorted = space.sorted;
  const index_t place = to.fills() ? to.places[row] : 0;
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  int found = 0;
  for (int first = 0; first < total; first += Threads) {
    const int at = first + static_cast<int>(threadIdx.x);
    const bool head = at < total && (at == 0 || sorted.keys[at - 1] != sorted.keys[at]) &&
                      by.admits(row, static_cast<index_t>(sorted.keys[at]));
    const unsigned heads = __ballot_sync(whole_warp, head);
    if (lane_index() == 0) space.warp_counts[warp] = __popc(heads);
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < Threads / warp_size; ++w) {
      if (w == warp) before = all;
      all += space.warp_counts[w];
    }
    if (head && to.fills()) {
      T sum = by.identity();
      for (int k = at; k < total && sorted.keys[k] == sorted.keys[at]; ++k)
        sum = by.add(sum, space.values[sorted.numbers[k]]);
      const index_t slot = place + found + before + __popc(heads & lanes_below());
      to.columns.set(slot, static_cast<index_t>(sorted.keys[at]));
      to.values[slot] = exact_product(of.alpha, sum);
    }
    found += all;
    __syncthreads();
  }
  return found;
}

/// `bits`: of the largest column.
template <int Threads, int Items, class Key, class Product, class Arithmetic, class T>
__global__ void __launch_bounds__(Threads)
    block_rows(Product of, Arithmetic by, row_list rows, int bits, row_target<T> to) {
  extern __shared__ __align__(16) unsigned char shared[];
  auto& space = *reinterpret_cast<block_space<T, Key, Threads, Items>*>(shared);
  const index_t row = rows[blockIdx.x];
  const int total = expand_block<Threads>(of, by, row, to.fills(), space);
  sort_block<Threads, Items>(space, total, bits, Key{});
  const int found = contract_block<Threads>(of, by, {row, total}, to, space);
  if (to.counts && threadIdx.x == 0) to.counts[row] = found;
}

}  // namespace gossamer::device
