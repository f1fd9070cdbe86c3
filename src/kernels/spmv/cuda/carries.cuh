// Carries: sums of rows that several parts of the work share. Each part writes its partial sum, and
// one more launch adds them to y in order. No atomics, so results are bitwise reproducible.
#pragma once

#include "backends/cuda/launch.cuh"
#include "kernels/common/cuda/device_sums.cuh"

namespace gossamer::device {

/// Partial sums in row order: those of a row are contiguous. Row -1: none.
template <class T>
struct carry_arrays {
  index_t* rows;
  T* sums;
  index_t count;
};

/// Workspace of a plan; its runs are ordered on one stream.
class carries {
 public:
  carries(index_t count, const context& where)
      : rows_(count, where.memory()), sums_(count, where.memory()) {}
  index_t bytes() const { return rows_.size() * index_t{sizeof(index_t) + sizeof(double)}; }
  template <class T>
  carry_arrays<T> as() {
    return {rows_.data(), reinterpret_cast<T*>(sums_.data()), rows_.size()};
  }

 private:
  buffer<index_t> rows_;
  buffer<double> sums_;  // wide enough for any value type
};

/// The sum of a row's partial sums from `at` on, by `threads` neighbouring threads of which this is
/// number `rank`: each adds its own part. A row may have thousands of partial sums, so several
/// loads are in flight at once.
template <class T>
__device__ T sum_shares(const carry_arrays<T>& shares, index_t at, index_t row, int rank,
                        int threads) {
  constexpr int in_flight = 4;
  T sum = 0;
  for (index_t begin = at + rank;; begin += in_flight * threads) {
    bool same[in_flight];
    T share[in_flight];
#pragma unroll
    for (int j = 0; j < in_flight; ++j) {
      const index_t k = begin + j * threads;
      same[j] = k < shares.count && shares.rows[k] == row;
      share[j] = k < shares.count ? shares.sums[k] : T{0};
    }
#pragma unroll
    for (int j = 0; j < in_flight; ++j)
      if (same[j]) sum += share[j];
    if (!same[in_flight - 1]) return sum;  // partial sums of a row are contiguous
  }
}

/// Adds alpha times the sum of a row's partial sums to y[row]: one warp per row, and the whole
/// block for rows with more partial sums than a warp has lanes.
template <class T>
__global__ void __launch_bounds__(cuda::block_size)
    add_carries(carry_arrays<T> shares, T alpha, T* y) {
  constexpr int warps = cuda::block_size / warp_size;
  __shared__ T warp_sums[warps];
  __shared__ bool long_row[warps];
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  for (index_t base = static_cast<index_t>(blockIdx.x) * warps; base < shares.count;
       base += static_cast<index_t>(gridDim.x) * warps) {
    const index_t at = base + warp;
    const index_t row = at < shares.count ? shares.rows[at] : index_t{-1};
    const bool mine = row >= 0 && (at == 0 || shares.rows[at - 1] != row);
    const bool many = mine && at + warp_size < shares.count && shares.rows[at + warp_size] == row;
    if (lane == 0) long_row[warp] = many;
    if (mine && !many) {
      const T sum = group_sum<warp_size>(sum_shares(shares, at, row, lane, warp_size));
      if (lane == 0) y[row] += alpha * sum;
    }
    __syncthreads();
    for (int w = 0; w < warps; ++w) {
      if (!long_row[w]) continue;
      const index_t shared_row = shares.rows[base + w];
      const T sum = block_sum<cuda::block_size>(
          sum_shares(shares, base + w, shared_row, static_cast<int>(threadIdx.x), cuda::block_size),
          warp_sums);
      if (threadIdx.x == 0) y[shared_row] += alpha * sum;
      __syncthreads();
    }
    __syncthreads();
  }
}

template <class T>
void add_shares(const context& where, const carry_arrays<T>& shares, T alpha, T* y) {
  if (shares.count == 0) return;
  add_carries<<<cuda::blocks_for(shares.count * warp_size, where.device()), cuda::block_size, 0,
                cuda::stream_of(where)>>>(shares, alpha, y);
  cuda::check(cudaGetLastError(), "adding {} shares of rows", count_text(shares.count));
}

}  // namespace gossamer::device
