// Sums on a device: dot products of row parts with several loads in flight, and reductions over
// groups of threads. The order of additions depends on the row and the group size alone.
#pragma once

#include "kernels/common/vector_arguments.hpp"

namespace gossamer::device {

inline constexpr int warp_size = 32;
inline constexpr unsigned whole_warp = 0xffffffffU;

/// Values stored in another order than the columns.
template <class T, class Place>
struct placed_values {
  const T* values;
  const Place* places;
};

/// The value of nonzero p, loaded with a streaming hint: x stays cached.
template <class T>
__device__ T value_at(const T* values, index_t p) {
  return __ldcs(values + p);
}
template <class T, class Place>
__device__ T value_at(const placed_values<T, Place>& placed, index_t p) {
  return __ldg(placed.values + __ldcs(placed.places + p));  // neighbours are read by other threads
}

/// The sum of values[p] x[columns[p]] over p = first, first + Stride, ... below last; `InFlight`
/// nonzeros are loaded before the first is used. Values: a pointer, or placed_values.
template <int Stride, int InFlight, class Values, class I, class T>
__device__ T strided_dot(const Values& values, const I* columns, index_t first, index_t last,
                         const T* x) {
  T sum = 0;
  for (index_t p = first; p < last; p += InFlight * Stride) {
    I column[InFlight];
    T value[InFlight];
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (p + k * Stride < last) {
        column[k] = __ldcs(columns + p + k * Stride);
        value[k] = value_at(values, p + k * Stride);
      }
#pragma unroll
    for (int k = 0; k < InFlight; ++k)
      if (p + k * Stride < last) sum += value[k] * __ldg(x + column[k]);
  }
  return sum;
}

/// The element of the lane `step` further in a group of Width lanes.
template <int Width, class T>
__device__ T shuffled_down(T value, int step) {
  if constexpr (complex_scalar<T>)
    return {__shfl_down_sync(whole_warp, value.real(), step, Width),
            __shfl_down_sync(whole_warp, value.imag(), step, Width)};
  else
    return __shfl_down_sync(whole_warp, value, step, Width);
}

/// The sum over a group of Width neighbouring lanes, in its first lane. All lanes of the warp must
/// call it.
template <int Width, class T>
__device__ T group_sum(T sum) {
#pragma unroll
  for (int step = Width / 2; step > 0; step /= 2) sum += shuffled_down<Width>(sum, step);
  return sum;
}

/// The sum over a block, in its first thread. `warp_sums` has a slot for each warp and may be
/// reused after the next barrier.
template <int Threads, class T>
__device__ T block_sum(T sum, T* warp_sums) {
  constexpr int warps = Threads / warp_size;
  sum = group_sum<warp_size>(sum);
  if (threadIdx.x % warp_size == 0) warp_sums[threadIdx.x / warp_size] = sum;
  __syncthreads();
  if (threadIdx.x >= warp_size) return 0;
  return group_sum<warps>(threadIdx.x < warps ? warp_sums[threadIdx.x] : T{0});
}

}  // namespace gossamer::device
