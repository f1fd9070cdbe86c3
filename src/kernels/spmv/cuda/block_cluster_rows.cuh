// A few long rows, one cluster of blocks per row: shared memory of a neighbouring block is closer
// than the L2 through which other blocks pass their sums.
#pragma once

#include "backends/cuda/cluster.cuh"
#include "kernels/common/cuda/device_sums.cuh"

namespace gossamer::device {

inline constexpr int cluster_in_flight = 4;  ///< nonzeros per thread

/// Threads per block with which a row of `longest` nonzeros takes one round; 0: too long for that.
constexpr int cluster_width(index_t longest) {
  for (const int threads : {128, 256, 512})
    if (longest <= index_t{threads} * cuda::cluster_blocks * cluster_in_flight) return threads;
  return 0;
}

/// Every warp writes its sum to the first block, which adds them in order.
template <int Threads, class A, class T>
__global__ void __launch_bounds__(Threads) a_cluster_a_row(A a, vector_call<T> v) {
  using cluster = cuda::this_cluster;
  constexpr int warps = Threads / warp_size, all = cuda::cluster_blocks * warps;
  __shared__ T handed[all];
  cluster::arrive();
  const index_t row = blockIdx.x / cuda::cluster_blocks;
  const int rank = cluster::rank(), thread = static_cast<int>(threadIdx.x);
  T sum = strided_dot<cuda::cluster_blocks * Threads, cluster_in_flight>(
      a.values, a.columns, static_cast<index_t>(a.offsets[row]) + rank * Threads + thread,
      static_cast<index_t>(a.offsets[row + 1]), v.x);
  sum = group_sum<warp_size>(sum);
  cluster::wait();
  if (thread % warp_size == 0) *cluster::in_first(handed + rank * warps + thread / warp_size) = sum;
  cluster::arrive();
  cluster::wait();
  if (rank > 0 || thread >= warp_size) return;
  sum = 0;
  for (int k = thread; k < all; k += warp_size) sum += handed[k];
  sum = group_sum<warp_size>(sum);
  if (thread == 0) v.store(row, sum);
}

template <class A, class T>
bool rows_can_have_clusters() {
  return cuda::compiled_for_clusters(a_cluster_a_row<128, A, T>);
}

/// One launch, with the threads of cluster_width.
template <class A, class T>
void multiply_by_clusters(const context& where, const A& a, const vector_call<T>& v, int threads) {
  const auto kernel = threads == 128   ? a_cluster_a_row<128, A, T>
                      : threads == 256 ? a_cluster_a_row<256, A, T>
                                       : a_cluster_a_row<512, A, T>;
  cuda::launch_clusters(where, a.rows, threads, kernel, a, v);
}

}  // namespace gossamer::device
