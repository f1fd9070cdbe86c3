// Equal chunks of nonzeros, one per warp (Flegar and Anzt 2017, the COO kernel of Anzt et al.
// 2020): lanes read neighbouring nonzeros and keep their sums while no lane's row changes; when one
// does, lanes of the same row are reduced, and the first of them passes the sum on.
#pragma once

#include "backends/cuda/device.hpp"
#include "kernels/common/cuda/device_sums.cuh"

namespace gossamer::device {

/// Warps for `nnz` nonzeros: omega threads for each core of the device, 8, 32 or 128 by size.
inline index_t segment_warps(index_t nnz, const gpu& device) {
  constexpr index_t cores_a_multiprocessor = 128;
  const index_t omega = nnz < 200'000 ? 8 : nnz < 2'000'000 ? 32 : 128;
  const index_t wanted = omega * device.multiprocessors * cores_a_multiprocessor / warp_size;
  return std::max<index_t>(1, std::min(wanted, (nnz + warp_size - 1) / warp_size));
}

/// The chunk of a warp: a whole number of rounds, the same for all but the last.
struct chunk {
  index_t first, last;
};
inline __host__ __device__ index_t chunk_length(index_t nnz, index_t warps) {
  const index_t rounds = (nnz + warps * warp_size - 1) / (warps * warp_size);
  return rounds * warp_size;
}
inline __host__ __device__ chunk chunk_of(index_t warp, index_t nnz, index_t warps) {
  const index_t length = chunk_length(nnz, warps), first = warp * length;
  return {first < nnz ? first : nnz, first + length < nnz ? first + length : nnz};
}

/// Segmented reduction over neighbouring lanes with the same row; finish(row, sum) is called by the
/// first lane of each run. Lanes without a nonzero have row -1.
template <class T, class F>
__device__ void finish_segments(index_t row, T sum, F&& finish) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const index_t before = __shfl_up_sync(whole_warp, row, 1);
  const bool first = lane == 0 || before != row;
  const unsigned heads = __ballot_sync(whole_warp, first);
  // The run of this lane ends where the next one begins.
  const unsigned behind = lane == warp_size - 1 ? 0U : heads >> (lane + 1);
  const int left = behind == 0 ? warp_size - 1 - lane : __ffs(static_cast<int>(behind)) - 1;
#pragma unroll
  for (int step = 1; step < warp_size; step *= 2) {
    const T other = __shfl_down_sync(whole_warp, sum, step);
    if (step <= left) sum += other;
  }
  if (first && row >= 0) finish(row, sum);
  __syncwarp();  // a row that continues may be finished again by another lane
}

/// Computes a warp's chunk. row_at(p) is the row of nonzero p; every lane asks for ascending p.
template <class T, class I, class Rows, class F>
__device__ void multiply_chunk(const T* values, const I* columns, const T* x, chunk mine,
                               Rows&& row_at, F&& finish) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  index_t row = -1;
  T sum = 0;
  for (index_t base = mine.first; base < mine.last; base += warp_size) {
    const index_t p = base + lane;
    const bool inside = p < mine.last;
    const index_t next = inside ? row_at(p) : index_t{-1};
    if (base > mine.first && __any_sync(whole_warp, next != row)) {
      finish_segments(row, sum, finish);
      sum = 0;
    }
    row = next;
    if (inside) sum += __ldcs(values + p) * __ldg(x + __ldcs(columns + p));
  }
  finish_segments(row, sum, finish);
}

}  // namespace gossamer::device
