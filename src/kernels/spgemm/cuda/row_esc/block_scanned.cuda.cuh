// Rows of C of the block group, one per block: expanded into shared memory, sorted there by a radix
// sort of the bits of columns, contracted by a segmented scan. Where a column leaves enough bits
// of 32, the number of the multiplication is above it and only keys are sorted; else keys and
// numbers are.
#pragma once

#include "kernels/spgemm/cuda/block_rows.cuda.cuh"
#include "kernels/spgemm/cuda/row_esc/segmented_scan.cuh"

namespace gossamer::device {

/// Sorted keys: the number of a multiplication above its column.
struct packed_in_block {
  const std::uint32_t* keys;
  int bits;
  __device__ index_t column(int at) const {
    return static_cast<index_t>(keys[at] & ((1U << bits) - 1));
  }
  __device__ int number(int at) const { return static_cast<int>(keys[at] >> bits); }
};

/// Sorted columns, and the numbers of multiplications beside them.
template <class Key>
struct paired_in_block {
  const Key* keys;
  const std::uint16_t* numbers;
  __device__ index_t column(int at) const { return static_cast<index_t>(keys[at]); }
  __device__ int number(int at) const { return numbers[at]; }
};

/// Shared memory of a block that sorts packed keys; members as expand_block asks for them.
template <class T, int Threads, int Items>
struct packed_space {
  static constexpr int most = Threads * Items;
  using sort = cub::BlockRadixSort<std::uint32_t, Threads, Items>;
  using scan = cub::BlockScan<int, Threads>;
  union {
    typename sort::TempStorage sorting;
    std::uint32_t sorted[most];
    struct {
      std::uint32_t columns[most];
      typename scan::TempStorage scanning;
      index_t first[Threads];
      T factor[Threads];
      int start[Threads];
    } expanding;
  };
  T values[most];
  warp_carries<T, Threads / warp_size> carries;

  /// Sorts by `bits` bits of the columns; they leave enough for the numbers.
  __device__ packed_in_block in_order(int total, int bits) {
    std::uint32_t keys[Items];
    const int first = static_cast<int>(threadIdx.x) * Items;
#pragma unroll
    for (int q = 0; q < Items; ++q) {
      const int number = first + q;
      // Padding comes last: no column is greater, and the sort is stable.
      keys[q] = number < total
                    ? static_cast<std::uint32_t>(number) << bits | expanding.columns[number]
                    : ~0U;
    }
    __syncthreads();
    sort(sorting).SortBlockedToStriped(keys, 0, bits);
    __syncthreads();
#pragma unroll
    for (int q = 0; q < Items; ++q) sorted[q * Threads + static_cast<int>(threadIdx.x)] = keys[q];
    __syncthreads();
    return {sorted, bits};
  }
};

/// Shared memory of a block that sorts columns with numbers.
template <class T, class Key, int Threads, int Items>
struct paired_space : block_space<T, Key, Threads, Items> {
  warp_carries<T, Threads / warp_size> carries;

  __device__ paired_in_block<Key> in_order(int total, int bits) {
    sort_block<Threads, Items>(*this, total, bits, Key{});
    return {this->sorted.keys, this->sorted.numbers};
  }
};

/// `bits`: of the largest column. Space: packed_space or paired_space.
template <int Threads, class Space, class Product, class T>
__global__ void __launch_bounds__(Threads)
    block_scanned_rows(Product of, row_list rows, int bits, row_target<T> to) {
  extern __shared__ __align__(16) unsigned char shared[];
  auto& space = *reinterpret_cast<Space*>(shared);
  const index_t row = rows[blockIdx.x];
  const int total = expand_block<Threads>(of, ordinary<T>{}, row, to.fills(), space);
  const auto order = space.in_order(total, bits);
  const int found = contract_in_block<Threads>(order, space.values, total,
                                               row_output<T>(to, row, of.alpha), space.carries);
  if (to.counts && threadIdx.x == 0) to.counts[row] = found;
}

}  // namespace gossamer::device
