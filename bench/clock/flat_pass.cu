#include "bench/clock/flat_pass.hpp"

namespace gossamer::bench {

namespace {

constexpr int threads = 256;

template <class T>
__device__ void forget(T sum, T* never) {
  if (sum == static_cast<T>(-1.2345678e30)) *never = sum;
}

template <int Each, class T>
__global__ void __launch_bounds__(threads) strided(flat_arrays<T> a) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * threads * Each + threadIdx.x;
  std::int32_t column[Each];
  T value[Each];
#pragma unroll
  for (int k = 0; k < Each; ++k)
    if (first + k * threads < a.nnz) {
      column[k] = __ldcs(a.columns + first + k * threads);
      value[k] = __ldcs(a.values + first + k * threads);
    }
  T sum = 0;
#pragma unroll
  for (int k = 0; k < Each; ++k)
    if (first + k * threads < a.nnz) sum += value[k] * __ldg(a.x + column[k]);
  forget(sum, a.never);
}

__device__ void load_four(const float* from, float* to) {
  const float4 all = __ldcs(reinterpret_cast<const float4*>(from));
  to[0] = all.x, to[1] = all.y, to[2] = all.z, to[3] = all.w;
}
__device__ void load_four(const double* from, double* to) {
  const auto* const pairs = reinterpret_cast<const double2*>(from);
  const double2 low = __ldcs(pairs), high = __ldcs(pairs + 1);
  to[0] = low.x, to[1] = low.y, to[2] = high.x, to[3] = high.y;
}

template <class T>
__global__ void __launch_bounds__(threads) wide(flat_arrays<T> a) {
  const std::int64_t first = (static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x) * 4;
  T sum = 0;
  if (first + 4 <= a.nnz) {
    const int4 column = __ldcs(reinterpret_cast<const int4*>(a.columns + first));
    T value[4];
    load_four(a.values + first, value);
    sum = value[0] * __ldg(a.x + column.x) + value[1] * __ldg(a.x + column.y) +
          value[2] * __ldg(a.x + column.z) + value[3] * __ldg(a.x + column.w);
  } else {
    for (std::int64_t p = first; p < a.nnz; ++p) sum += a.values[p] * a.x[a.columns[p]];
  }
  forget(sum, a.never);
}

template <class T>
void launch(const flat_arrays<T>& a, flat_order order, void* stream) {
  const std::int64_t each = order == flat_order::eight ? 8 : 4;
  const auto blocks = static_cast<unsigned>((a.nnz + threads * each - 1) / (threads * each));
  if (blocks == 0) return;
  const auto on = static_cast<cudaStream_t>(stream);
  switch (order) {
    case flat_order::four: return strided<4><<<blocks, threads, 0, on>>>(a);
    case flat_order::eight: return strided<8><<<blocks, threads, 0, on>>>(a);
    case flat_order::wide: return wide<<<blocks, threads, 0, on>>>(a);
  }
}

}  // namespace

void launch_flat_pass(const flat_arrays<float>& a, flat_order order, void* stream) {
  launch(a, order, stream);
}
void launch_flat_pass(const flat_arrays<double>& a, flat_order order, void* stream) {
  launch(a, order, stream);
}

}  // namespace gossamer::bench
