// The greatest of many numbers, found on the device: how a question about arrays there is answered.
#pragma once

#include "backends/cuda/launch.cuh"
#include "backends/cuda/runtime.hpp"
#include "gossamer/memory.hpp"

namespace gossamer::cuda {

template <class F>
__global__ void __launch_bounds__(block_size) greatest_kernel(index_t count, F f, long long* to) {
  long long mine = 0;
  for (index_t i = first_element(); i < count; i += element_stride())
    mine = max(mine, static_cast<long long>(f(i)));
  for (int lane = 16; lane > 0; lane /= 2)
    mine = max(mine, __shfl_xor_sync(0xffffffffU, mine, lane));
  if (threadIdx.x % 32 == 0 && mine > 0) atomicMax(to, mine);
}

/// The greatest f(i) for i in [0, count), at least 0. Waits. `f` is a __device__ lambda; `what`
/// names the question in an error.
template <class F>
index_t greatest(const context& where, index_t count, const char* what, F f) {
  if (count <= 0) return 0;
  const device_guard on(where);
  buffer<long long> answer(1, where.memory());
  answer.set(0);
  greatest_kernel<<<blocks_for(count, where.device()), block_size, 0, stream_of(where)>>>(
      count, f, answer.data());
  check(cudaGetLastError(), "{} could not be launched for {} elements", what, count_text(count));
  long long found = 0;
  copy_bytes(where, &found, answer.data(), sizeof found, direction::to_host);
  return found;
}

}  // namespace gossamer::cuda
