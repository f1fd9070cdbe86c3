// Reductions on the device: the maximum or the sum of many numbers.
#pragma once

#include "backends/cuda/launch.cuh"
#include "backends/cuda/runtime.hpp"
#include "gossamer/memory.hpp"

namespace gossamer::cuda {

/// How two values are combined, and how one is added atomically.
struct take_greatest {
  __device__ static long long join(long long a, long long b) { return max(a, b); }
  __device__ static void add(long long* to, long long mine) { atomicMax(to, mine); }
};
struct take_sum {
  __device__ static long long join(long long a, long long b) { return a + b; }
  __device__ static void add(long long* to, long long mine) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(mine));
  }
};

template <class Take, class F>
__global__ void __launch_bounds__(block_size) ask_kernel(index_t count, F f, long long* to) {
  long long mine = 0;
  for (index_t i = first_element(); i < count; i += element_stride())
    mine = Take::join(mine, static_cast<long long>(f(i)));
  for (int lane = 16; lane > 0; lane /= 2)
    mine = Take::join(mine, __shfl_xor_sync(0xffffffffU, mine, lane));
  if (threadIdx.x % 32 == 0 && mine > 0) Take::add(to, mine);
}

/// Reduces f(i) >= 0 over i in [0, count); 0 when there are none. Waits. `f` is a __device__
/// lambda; `what` names the operation in an error.
template <class Take, class F>
index_t ask(const context& where, index_t count, const char* what, F f) {
  if (count <= 0) return 0;
  const device_guard on(where);
  buffer<long long> answer(1, where.memory());
  answer.set(0);
  ask_kernel<Take><<<blocks_for(count, where.device()), block_size, 0, stream_of(where)>>>(
      count, f, answer.data());
  check(cudaGetLastError(), "{} could not be launched for {} elements", what, count_text(count));
  long long found = 0;
  copy_bytes(where, &found, answer.data(), sizeof found, direction::to_host);
  return found;
}

template <class F>
index_t greatest(const context& where, index_t count, const char* what, F f) {
  return ask<take_greatest>(where, count, what, f);
}
template <class F>
index_t sum_of(const context& where, index_t count, const char* what, F f) {
  return ask<take_sum>(where, count, what, f);
}

}  // namespace gossamer::cuda
