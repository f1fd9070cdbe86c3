// y += alpha A x for a COO matrix on a device, by chunks of nonzeros: with atomic additions, in any
// order of nonzeros, or with partial row sums added in order, for nonzeros sorted by rows.
#pragma once

#include "backends/cuda/arrays.hpp"
#include "kernels/spmv/cuda/carries.cuh"
#include "kernels/spmv/cuda/warp_segments.cuh"

namespace gossamer::device {

inline constexpr int segment_threads = 128;  ///< of a block; not measured

inline unsigned segment_blocks(index_t warps) {
  constexpr index_t a_block = segment_threads / warp_size;
  return static_cast<unsigned>((warps + a_block - 1) / a_block);
}

__device__ inline index_t warp_index() {
  return (static_cast<index_t>(blockIdx.x) * segment_threads + threadIdx.x) / warp_size;
}

template <class T, class I>
__global__ void __launch_bounds__(segment_threads)
    coo_atomically(coo_ref<const T, I> a, T alpha, const T* x, T* y, index_t warps) {
  const chunk mine = chunk_of(warp_index(), a.nnz, warps);
  multiply_chunk(
      a.values, a.columns, x, mine, [&](index_t p) { return index_t{a.row_indices[p]}; },
      [&](index_t row, T sum) { atomicAdd(y + row, alpha * sum); });
}

/// A chunk's first and last row may be shared with other chunks; rows between are its own. Partial
/// sums of a row are contiguous: a chunk of a single row writes two, the second empty.
template <class T, class I>
__global__ void __launch_bounds__(segment_threads)
    coo_in_order(coo_ref<const T, I> a, T alpha, const T* x, T* y, index_t warps,
                 carry_arrays<T> shares) {
  const index_t warp = warp_index();
  if (warp >= warps) return;
  const chunk mine = chunk_of(warp, a.nnz, warps);
  const bool any = mine.first < mine.last;
  const index_t first_row = any ? index_t{a.row_indices[mine.first]} : -1;
  const index_t last_row = any ? index_t{a.row_indices[mine.last - 1]} : -1;
  T first = 0, last = 0;
  multiply_chunk(
      a.values, a.columns, x, mine, [&](index_t p) { return index_t{a.row_indices[p]}; },
      [&](index_t row, T sum) {
        if (row == first_row)
          first += sum;
        else if (row == last_row)
          last += sum;
        else
          y[row] += alpha * sum;
      });
  first = group_sum<warp_size>(first);
  last = group_sum<warp_size>(last);
  if (threadIdx.x % warp_size != 0) return;
  shares.rows[2 * warp] = first_row;
  shares.sums[2 * warp] = first;
  shares.rows[2 * warp + 1] = last_row;
  shares.sums[2 * warp + 1] = last;
}

template <class T, class I>
void add_coo_atomically(const context& where, const coo_ref<const T, I>& a,
                        const vector_call<T>& v) {
  if (a.nnz == 0) return;
  const index_t warps = segment_warps(a.nnz, cuda::properties(where.device()));
  coo_atomically<<<segment_blocks(warps), segment_threads, 0, cuda::stream_of(where)>>>(
      a, v.alpha, v.x, v.y, warps);
  cuda::check(cudaGetLastError(), "adding a COO matrix of {} entries", count_text(a.nnz));
}

/// Partial sums of a matrix with this many nonzeros: two per warp. Chunks are longer than those of
/// the atomic version, and there are at most twice as many warps as are resident: partial sums cost
/// a launch.
inline index_t coo_shares(index_t nnz, int device) {
  constexpr index_t shortest_chunk = 4 * warp_size, warps_a_multiprocessor = 64;
  const index_t most = 2 * warps_a_multiprocessor * cuda::properties(device).multiprocessors;
  return 2 * std::min((nnz + shortest_chunk - 1) / shortest_chunk, most);
}

template <class T, class I>
void add_coo_in_order(const context& where, const coo_ref<const T, I>& a, const vector_call<T>& v,
                      const carry_arrays<T>& shares) {
  if (a.nnz == 0) return;
  const index_t warps = shares.count / 2;
  coo_in_order<<<segment_blocks(warps), segment_threads, 0, cuda::stream_of(where)>>>(
      a, v.alpha, v.x, v.y, warps, shares);
  cuda::check(cudaGetLastError(), "adding a COO matrix of {} entries", count_text(a.nnz));
  add_shares(where, shares, v.alpha, v.y);
}

/// y = beta y, before the chunks are added.
template <class T>
void scale_result(const context& where, const operands& o) {
  cuda::scale(where, std::get<dense_view<T>>(*o.dense), o.beta_as<T>());
}

}  // namespace gossamer::device
