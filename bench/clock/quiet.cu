#include "bench/clock/quiet.hpp"

namespace gossamer::bench {

namespace {

__global__ void read_all(const uint4* data, std::size_t count, uint4* never) {
  uint4 seen{};
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count;
       i += stride) {
    const uint4 one = data[i];
    seen.x ^= one.x;
    seen.y ^= one.y;
    seen.z ^= one.z;
    seen.w ^= one.w;
  }
  // Never true for memory set to one byte, and the compiler cannot know.
  if (seen.x == 1 && seen.y == 2 && seen.z == 3 && seen.w == 4) *never = seen;
}

__device__ unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void wait_for(unsigned long long length) {
  const unsigned long long start = nanoseconds();
  while (nanoseconds() - start < length) __nanosleep(200);
}

}  // namespace

void sweep_by_reading(const void* data, std::size_t bytes, cudaStream_t stream) {
  auto* at = static_cast<uint4*>(const_cast<void*>(data));
  read_all<<<1024, 256, 0, stream>>>(at, bytes / sizeof(uint4), at);
}

void hold(double microseconds, cudaStream_t stream) {
  wait_for<<<1, 1, 0, stream>>>(static_cast<unsigned long long>(microseconds * 1e3));
}

}  // namespace gossamer::bench
