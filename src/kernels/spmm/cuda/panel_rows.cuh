// CSR times a panel of dense columns on a device: A is read once for the panel, whose columns two
// neighbouring threads share. Rows are classified by length as in row_classes.
#pragma once

#include "kernels/common/cuda/row_classes.cuh"
#include "kernels/spmm/operands/dense_arguments.hpp"

namespace gossamer::device {

/// A dense block with its strides, as a device kernel needs it.
template <class T>
struct block_ref {
  T* values;
  index_t row_step, col_step;
  explicit block_ref(const dense_view<T>& v)
      : values(v.values), row_step(v.row_step()), col_step(v.col_step()) {}
  __device__ T& operator()(index_t row, index_t column) const {
    return values[row * row_step + column * col_step];
  }
};

/// Neighbouring threads that share the columns of a panel. More of them read B in larger pieces but
/// were slower: each nonzero of A is loaded by all of them.
inline constexpr int panel_lanes = 2;

/// The sums of one thread: of `Each` columns, `panel_lanes` apart.
template <int Each, class T>
struct panel_sums {
  T of[Each] = {};
};

/// C = alpha A B + beta C by panels of a few columns.
template <int Each, class T>
struct panel_call {
  static constexpr int width = panel_lanes * Each;
  using sums = panel_sums<Each, T>;
  block_ref<const T> b;
  block_ref<T> c;
  index_t columns;  ///< columns of all panels
  T alpha, beta;

  __device__ index_t column(int k) const {
    return static_cast<index_t>(blockIdx.y) * width + threadIdx.x % panel_lanes + k * panel_lanes;
  }
  __device__ void store(index_t row, const sums& found) const {
#pragma unroll
    for (int k = 0; k < Each; ++k) {
      if (column(k) >= columns) return;
      T& to = c(row, column(k));
      to = blend(alpha, found.of[k], beta, to);
    }
  }
  /// Sums nonzeros first + lane, first + lane + lanes, ... of a row that ends at `last`.
  template <class A>
  __device__ sums dot(const A& a, index_t first, index_t last, int lane, int lanes) const {
    constexpr int in_flight = 4;
    const T* x[Each];  // a thread beyond the last column reads that one again, and stores nothing
#pragma unroll
    for (int k = 0; k < Each; ++k) x[k] = &b(0, min(column(k), columns - 1));
    sums found;
    for (index_t p = first + lane; p < last; p += in_flight * lanes) {
      index_t at[in_flight];
      T value[in_flight];
#pragma unroll
      for (int j = 0; j < in_flight; ++j)
        if (p + j * lanes < last) {
          at[j] = static_cast<index_t>(__ldcs(a.columns + p + j * lanes)) * b.row_step;
          value[j] = __ldcs(a.values + p + j * lanes);
        }
#pragma unroll
      for (int j = 0; j < in_flight; ++j)
        if (p + j * lanes < last)
#pragma unroll
          for (int k = 0; k < Each; ++k) found.of[k] += value[j] * __ldg(x[k] + at[j]);
    }
    return found;
  }
};

/// Reduces over the threads of each column in a group of Width; the result is in its first threads.
template <int Width, int Each, class T>
__device__ void add_lanes(panel_sums<Each, T>& sums) {
#pragma unroll
  for (int step = Width / 2; step >= panel_lanes; step /= 2)
#pragma unroll
    for (int k = 0; k < Each; ++k)
      sums.of[k] += __shfl_down_sync(whole_warp, sums.of[k], step, Width);
}

/// Computes a block's piece of a row, as multiply_piece does; there is a slot for every column.
template <int Each, class A, class T>
__device__ void panel_piece(const A& a, const panel_call<Each, T>& call,
                            const long_row_tables<T>& rows, index_t block) {
  constexpr int warps = row_threads / warp_size, lanes = row_threads / panel_lanes;
  constexpr int width = panel_call<Each, T>::width;
  __shared__ T warp_sums[Each][warps][panel_lanes];
  const row_piece mine = rows.piece[block];
  const int column = static_cast<int>(threadIdx.x) % panel_lanes;
  const int lane = static_cast<int>(threadIdx.x) / panel_lanes;
  T* const handed = rows.partials + static_cast<index_t>(blockIdx.y) * rows.pieces * width + column;
  auto sums = call.dot(a, mine.first, mine.last, lane, lanes);
  const index_t closing = index_t{mine.slot} + mine.parts - 1;
  if (block == closing)
    for (index_t p = mine.slot + lane; p < closing; p += lanes)
#pragma unroll
      for (int k = 0; k < Each; ++k) sums.of[k] += take_over(handed + p * width + k * panel_lanes);
  add_lanes<warp_size>(sums);
  if (threadIdx.x % warp_size < panel_lanes)
#pragma unroll
    for (int k = 0; k < Each; ++k) warp_sums[k][threadIdx.x / warp_size][column] = sums.of[k];
  __syncthreads();
  if (threadIdx.x >= panel_lanes) return;
  sums = {};
#pragma unroll
  for (int k = 0; k < Each; ++k) {
    for (int w = 0; w < warps; ++w) sums.of[k] += warp_sums[k][w][column];
    if (block != closing) hand_over(handed + block * width + k * panel_lanes, sums.of[k]);
  }
  if (block == closing) call.store(mine.row, sums);
}

/// Computes a row with Width threads; nothing if there is no such row (-1).
template <int Width, int Each, class A, class T>
__device__ void panel_row(const A& a, const panel_call<Each, T>& call, index_t row) {
  const int thread = static_cast<int>(threadIdx.x) % Width;
  panel_sums<Each, T> sums;
  if (row >= 0)
    sums =
        call.dot(a, static_cast<index_t>(a.offsets[row]), static_cast<index_t>(a.offsets[row + 1]),
                 thread / panel_lanes, Width / panel_lanes);
  add_lanes<Width>(sums);
  if (row >= 0 && thread < panel_lanes) call.store(row, sums);
}

/// Computes pieces first, then rows for warps, then those of up to `cutoff` nonzeros in order.
template <int Width, int Each, class A, class T>
__global__ void __launch_bounds__(row_threads)
    by_panels(A a, panel_call<Each, T> call, long_row_tables<T> longer, index_t cutoff) {
  index_t block = blockIdx.x;
  if (block < longer.pieces) return panel_piece(a, call, longer, block);
  block -= longer.pieces;
  const index_t listed = longer.blocks_for(longer.for_warps, warp_size);
  if (block < listed) {
    const index_t at = (block * row_threads + threadIdx.x) / warp_size;
    return panel_row<warp_size>(a, call, at < longer.for_warps ? longer.list[at] : index_t{-1});
  }
  const index_t row = ((block - listed) * row_threads + threadIdx.x) / Width;
  const bool mine =
      row < a.rows &&
      static_cast<index_t>(a.offsets[row + 1]) - static_cast<index_t>(a.offsets[row]) <= cutoff;
  panel_row<Width>(a, call, mine ? row : index_t{-1});
}

}  // namespace gossamer::device
