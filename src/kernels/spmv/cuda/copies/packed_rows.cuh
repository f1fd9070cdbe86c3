// A copy of the rows of a CSR matrix that a plan keeps on the device, in which every thread has at
// most six nonzeros and loads all of them at once: a row of up to six nonzeros is computed by one
// thread, a longer one by the smallest group of 2, 4 ... 256 threads that holds it. Rows with equal
// group size and depth are packed together, so that a block finds in one short record what to load,
// and only loads of x depend on other loads. Meant for matrices that are too small to hide long
// rows behind others.
#pragma once

#include "kernels/common/cuda/row_classes.cuh"
#include "kernels/spmv/cuda/copies/narrow_entries.cuh"

namespace gossamer::device {

inline constexpr int pack_depth = 6;  ///< most nonzeros per thread; docs/kernels/spmv-cuda.md
inline constexpr index_t longest_packed = pack_depth * row_threads;  ///< capacity of a block

/// The work of one block: `rows` rows, each by 2^lanes_log threads with `depth` nonzeros.
struct alignas(16) pack {
  std::uint32_t place = 0;  ///< position of its first nonzero, in multiples of row_threads
  std::uint32_t slot = 0;   ///< slot of its first row
  std::uint16_t rows = 0;
  std::uint8_t lanes_log = 0, depth = 0;
};

struct packed_rows {
  long_rows longer;  ///< rows that stay in CSR
  buffer<pack> packs;
  buffer<std::uint32_t> order;    ///< the row of a slot
  buffer<std::uint16_t> lengths;  ///< length of the row of a slot
  narrow_entries entries;

  index_t bytes() const {
    return longer.bytes() + packs.size() * index_t{sizeof(pack)} + order.size() * 4 +
           lengths.size() * 2 + entries.bytes();
  }
};

/// Builds the copy; fewer than 2^32 rows. Waits for the device.
template <scalar T>
packed_rows make_packed_rows(const context&, const csr_view<const T>& a);

/// The device view. V: the stored value, C: the stored column.
template <class V, class C>
struct packed_ref {
  const pack* packs;
  const std::uint32_t* order;
  const std::uint16_t* lengths;
  const C* columns;
  const V* values;
};

/// Nonzeros of a row that lane `lane` of its group has.
__device__ inline int lane_entries(int length, int lane, int lanes_log) {
  return (length - lane + (1 << lanes_log) - 1) >> lanes_log;
}
/// Position of a thread's first nonzero; the others follow at steps of warp_size.
__device__ inline index_t first_place(const pack& p) {
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  return static_cast<index_t>(p.place) * row_threads + warp * p.depth * warp_size +
         threadIdx.x % warp_size;
}

/// Computes the rows of one pack with a block.
template <class T, class V, class C>
__device__ void multiply_pack(const packed_ref<V, C>& a, const vector_call<T>& v, index_t block) {
  const pack mine = a.packs[block];
  const int lanes = 1 << mine.lanes_log;
  const int lane = static_cast<int>(threadIdx.x) & (lanes - 1);
  const int row = static_cast<int>(threadIdx.x) >> mine.lanes_log;
  const bool present = row < mine.rows;
  const index_t place = first_place(mine);
  C column[pack_depth];
  V value[pack_depth];
#pragma unroll
  for (int k = 0; k < pack_depth; ++k)
    if (k < mine.depth) {
      column[k] = __ldcs(a.columns + place + k * warp_size);
      value[k] = __ldcs(a.values + place + k * warp_size);
    }
  const int length = present ? a.lengths[mine.slot + row] : 0;
  const int count = lane_entries(length, lane, mine.lanes_log);
  T sum = 0;
#pragma unroll
  for (int k = 0; k < pack_depth; ++k)
    if (k < count) sum += static_cast<T>(value[k]) * __ldg(v.x + column[k]);
  for (int step = min(lanes, warp_size) / 2; step > 0; step /= 2)
    sum += __shfl_down_sync(whole_warp, sum, step);
  if (lanes > warp_size) {  // a condition on the whole block, not on single threads
    __shared__ T warp_sums[row_threads / warp_size];
    const int warp = static_cast<int>(threadIdx.x) / warp_size;
    if (threadIdx.x % warp_size == 0) warp_sums[warp] = sum;
    __syncthreads();
    if (lane == 0)
      for (int w = 1; w < lanes / warp_size; ++w) sum += warp_sums[warp + w];
  }
  if (present && lane == 0) v.store(a.order[mine.slot + row], sum);
}

}  // namespace gossamer::device
