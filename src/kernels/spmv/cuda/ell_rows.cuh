// y = alpha A x + beta y for an ELL matrix on a device: one, 32 or 256 threads per row.
#pragma once

#include "backends/cuda/launch.cuh"
#include "kernels/common/cuda/device_sums.cuh"

namespace gossamer::device {

inline constexpr int ell_threads = 256;  ///< of a block; not measured

/// Threads per row: one where there are enough rows to fill the device, else a warp or a block,
/// when rows are wide relative to their number.
inline int ell_group(index_t rows, index_t width) {
  if (100 * width <= rows || width < warp_size) return 1;
  return width < 8 * ell_threads ? warp_size : ell_threads;
}

/// Sums positions k = first, first + Step, ... of a row, up to the first padded one: no nonzeros
/// follow it.
template <int Step, class T, class I>
__device__ T ell_dot(const ell_ref<const T, I>& a, index_t row, index_t first, const T* x) {
  constexpr int in_flight = 4;  // eight were slower in csr/sliced: docs/kernels/spmv-cuda.md
  T sum = 0;
  for (index_t k = first; k < a.width; k += in_flight * Step) {
    I column[in_flight];
    T value[in_flight];
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const index_t place = (k + u * Step) * a.stride + row;
      const bool inside = k + u * Step < a.width;
      column[u] = inside ? __ldcs(a.columns + place) : static_cast<I>(padding);
      value[u] = inside ? __ldcs(a.values + place) : T{0};
    }
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      if (column[u] == static_cast<I>(padding)) return sum;
      sum += value[u] * __ldg(x + column[u]);
    }
  }
  return sum;
}

template <int Group, class T, class I>
__global__ void __launch_bounds__(ell_threads) ell_rows(ell_ref<const T, I> a, vector_call<T> v) {
  const index_t row = (static_cast<index_t>(blockIdx.x) * ell_threads + threadIdx.x) / Group;
  const int lane = static_cast<int>(threadIdx.x) % Group;
  T sum = row < a.rows ? ell_dot<Group>(a, row, lane, v.x) : T{0};
  if constexpr (Group == ell_threads) {
    __shared__ T warp_sums[ell_threads / warp_size];
    sum = block_sum<ell_threads>(sum, warp_sums);
  } else {
    sum = group_sum<Group>(sum);
  }
  if (row < a.rows && lane == 0) v.store(row, sum);
}

template <class T, class I>
void multiply_ell(const context& where, const ell_ref<const T, I>& a, const vector_call<T>& v) {
  if (a.rows == 0) return;
  const auto launch = [&]<int Group>() {
    const auto blocks = static_cast<unsigned>((a.rows * Group + ell_threads - 1) / ell_threads);
    ell_rows<Group><<<blocks, ell_threads, 0, cuda::stream_of(where)>>>(a, v);
    cuda::check(cudaGetLastError(), "multiplying an ELL matrix of {}",
                shape_text(extents{a.rows, a.cols}));
  };
  switch (ell_group(a.rows, a.width)) {
    case 1: return launch.template operator()<1>();
    case warp_size: return launch.template operator()<warp_size>();
    default: return launch.template operator()<ell_threads>();
  }
}

}  // namespace gossamer::device
