// Launch geometry for elementwise kernels: one thread per element, with a grid-stride loop.
#pragma once

#include <algorithm>

#include "backends/cuda/check.hpp"
#include "backends/cuda/device.hpp"
#include "gossamer/types.hpp"

namespace gossamer::cuda {

/// Threads of a block where nothing else is said: eight warps, which every device can hold.
inline constexpr int block_size = 256;

/// Blocks for `count` elements; at most a few waves, kernels stride over the rest.
inline unsigned blocks_for(index_t count, int device) {
  const index_t most = index_t{properties(device).multiprocessors} * 32;
  return static_cast<unsigned>(std::clamp<index_t>((count + block_size - 1) / block_size, 1, most));
}

__device__ inline index_t first_element() {
  return static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline index_t element_stride() { return static_cast<index_t>(gridDim.x) * blockDim.x; }

template <class F>
__global__ void __launch_bounds__(block_size) for_each_kernel(index_t count, F f) {
  for (index_t i = first_element(); i < count; i += element_stride()) f(i);
}

/// Runs f(i) for i in [0, count) on the context's stream. `f` is a __device__ lambda or functor of
/// plain pointers and numbers; `what` names it in an error.
template <class F>
void for_each(const context& where, index_t count, const char* what, F f) {
  if (count <= 0) return;
  for_each_kernel<<<blocks_for(count, where.device()), block_size, 0, stream_of(where)>>>(count, f);
  check(cudaGetLastError(), "{} could not be launched for {} elements", what, count_text(count));
}

}  // namespace gossamer::cuda
