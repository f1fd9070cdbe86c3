// Sums of rows that several parts of the work share: each part leaves its share, and one more
// launch adds them to y in order. No atomics, so the bits are the same in every run.
#pragma once

#include "backends/cuda/launch.cuh"
#include "kernels/shared/device_sums.cuh"

namespace gossamer::device {

/// Shares in the order of rows: equal rows are neighbours. Row -1: nothing.
template <class T>
struct carry_arrays {
  index_t* rows;
  T* sums;
  index_t count;
};

/// What a plan keeps for them; its runs follow one another on one stream.
struct carries {
  buffer<index_t> rows;
  buffer<double> sums;  ///< wide enough for any value

  carries(index_t count, const context& where)
      : rows(count, where.memory()), sums(count, where.memory()) {}
  index_t bytes() const { return rows.size() * index_t{sizeof(index_t) + sizeof(double)}; }
  template <class T>
  carry_arrays<T> as() const {
    return {const_cast<index_t*>(rows.data()),
            reinterpret_cast<T*>(const_cast<double*>(sums.data())), rows.size()};
  }
};

/// y[row] += alpha times the sum of the row's shares, one warp for each row's first share.
template <class T>
__global__ void __launch_bounds__(cuda::block_size)
    add_carries(carry_arrays<T> shares, T alpha, T* y) {
  const int lane = static_cast<int>(threadIdx.x) % warp_size;
  const index_t warps = cuda::element_stride() / warp_size;
  for (index_t at = cuda::first_element() / warp_size; at < shares.count; at += warps) {
    const index_t row = shares.rows[at];
    if (row < 0 || (at > 0 && shares.rows[at - 1] == row)) continue;
    T sum = 0;
    for (index_t k = at + lane;; k += warp_size) {
      const bool same = k < shares.count && shares.rows[k] == row;
      if (same) sum += shares.sums[k];
      if (!__all_sync(whole_warp, same)) break;
    }
    sum = group_sum<warp_size>(sum);
    if (lane == 0) y[row] += alpha * sum;
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
