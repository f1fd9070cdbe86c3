// Contraction by a segmented scan (Dalton, Bell, Olson 2015, algorithm 5): the sorted
// multiplications of a row are read in order, sums run within equal columns, and the last of a
// column is stored. The order of the additions depends on the places of the multiplications alone.
#pragma once

#include "kernels/spgemm/cuda/warp_segments.cuh"

namespace gossamer::device {

/// Where the nonzeros of a row go.
template <class T>
struct row_output {
  row_target<T> to;
  index_t place;
  T alpha;
  __device__ row_output(const row_target<T>& target, index_t row, T scale)
      : to(target), place(target.fills() ? target.places[row] : 0), alpha(scale) {}
  __device__ bool fills() const { return to.fills(); }
  __device__ void store(int at, index_t column, T sum) const {
    to.columns.set(place + at, column);
    // From 0 on, as every other kernel adds: no sum is -0.
    to.values[place + at] = exact_product(alpha, T{0} + sum);
  }
};

/// The lane's place in the columns of its window.
struct column_lanes {
  bool inside;      ///< there is a multiplication for this lane
  bool last;        ///< of its column
  unsigned firsts;  ///< lanes that begin a column
  unsigned lasts;   ///< lanes that end one

  /// Whether a column begins at this lane or at one below it.
  __device__ bool begun() const { return (firsts & lanes_up_to()) != 0; }
  /// Nonzeros that end below this lane.
  __device__ int before() const { return __popc(lasts & lanes_below()); }
};

/// Looks at multiplication `at` of `total`, which are in order. Called by whole warps.
template <class Order>
__device__ column_lanes columns_at(const Order& order, int at, int total) {
  const bool inside = at < total;
  // A lane beyond the end is a column of its own, which nobody stores.
  const bool first = !inside || at == 0 || order.column(at - 1) != order.column(at);
  const bool last = inside && (at + 1 == total || order.column(at + 1) != order.column(at));
  return {inside, last, __ballot_sync(whole_warp, first), __ballot_sync(whole_warp, last)};
}

/// The sum over the lanes of this lane's column, up to itself. Called by whole warps.
template <class T>
__device__ T scan_columns(T value, const column_lanes& lanes) {
  const unsigned firsts = lanes.firsts & lanes_up_to();
  const int begin = firsts == 0 ? 0 : warp_size - 1 - __clz(static_cast<int>(firsts));
#pragma unroll
  for (int step = 1; step < warp_size; step *= 2) {
    const T other = __shfl_up_sync(whole_warp, value, step);
    if (lane_index() - step >= begin) value = other + value;
  }
  return value;
}

/// Contracts the row of a warp; returns its nonzeros. `values` are in the order of expansion, and
/// read only where the output is filled.
template <class Order, class T>
__device__ int contract_in_warp(const Order& order, const T* values, int total,
                                const row_output<T>& to) {
  int found = 0;
  T carried = 0;  // the sum of a column that began in an earlier window
  for (int window = 0; window < total; window += warp_size) {
    const int at = window + lane_index();
    const auto lanes = columns_at(order, at, total);
    if (to.fills()) {
      T sum = scan_columns(lanes.inside ? values[order.number(at)] : T{0}, lanes);
      if (!lanes.begun()) sum = carried + sum;
      if (lanes.last) to.store(found + lanes.before(), order.column(at), sum);
      carried = __shfl_sync(whole_warp, sum, warp_size - 1);
    }
    found += __popc(lanes.lasts);
  }
  __syncwarp();
  return found;
}

/// What the warps of a block tell each other about a window.
template <class T, int Warps>
struct warp_carries {
  T sum[Warps];      ///< up to the last lane
  int begun[Warps];  ///< a column begins in the warp
  int nonzeros[Warps];
};

/// Sums and nonzeros of all windows and warps before this one.
template <class T>
struct block_carry {
  T sum = 0;
  int nonzeros = 0;
  template <int Warps>
  __device__ void add(const warp_carries<T, Warps>& warps, int warp) {
    sum = warps.begun[warp] != 0 ? warps.sum[warp] : sum + warps.sum[warp];
    nonzeros += warps.nonzeros[warp];
  }
};

/// Contracts the row of a block, all of whose threads call it; returns its nonzeros.
template <int Threads, class Order, class T>
__device__ int contract_in_block(const Order& order, const T* values, int total,
                                 const row_output<T>& to,
                                 warp_carries<T, Threads / warp_size>& warps) {
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  block_carry<T> done;
  for (int window = 0; window < total; window += Threads) {
    const int at = window + static_cast<int>(threadIdx.x);
    const auto lanes = columns_at(order, at, total);
    T sum = 0;
    if (to.fills()) sum = scan_columns(lanes.inside ? values[order.number(at)] : T{0}, lanes);
    if (lane_index() == warp_size - 1) {
      warps.sum[warp] = sum;
      warps.begun[warp] = lanes.firsts != 0;
      warps.nonzeros[warp] = __popc(lanes.lasts);
    }
    __syncthreads();
    block_carry<T> before = done;
    for (int w = 0; w < Threads / warp_size; ++w) {
      if (w == warp) before = done;
      done.add(warps, w);
    }
    if (to.fills() && lanes.last)
      to.store(before.nonzeros + lanes.before(), order.column(at),
               lanes.begun() ? sum : before.sum + sum);
    __syncthreads();  // the next window writes the carries
  }
  return done.nonzeros;
}

}  // namespace gossamer::device
