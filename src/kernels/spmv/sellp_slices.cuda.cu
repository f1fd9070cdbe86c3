// SELL-P on a GPU (Anzt et al. 2020; Kreutzer et al. 2014 with rows sorted in windows): one thread
// per row, neighbouring rows of a slice are contiguous in memory, and each slice is as wide as its
// longest row. A row stops at its first padding.
#include "backends/cuda/launch.cuh"
#include "kernels/common/cuda/device_sums.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/sellp/slices/cuda";
constexpr int threads = 128;  // of a block; not measured

template <class T, class I, class O>
__global__ void __launch_bounds__(threads) by_slices(sellp_ref<const T, I, O> a, vector_call<T> v) {
  constexpr int in_flight = 4;  // eight were slower in csr/sliced: docs/kernels/spmv-cuda.md
  const index_t position = static_cast<index_t>(blockIdx.x) * threads + threadIdx.x;
  if (position >= a.rows) return;
  const index_t slice = position / a.slice;
  const index_t row = a.row_at(position);
  index_t place = static_cast<index_t>(a.slice_offsets[slice]) * a.slice + position % a.slice;
  const index_t end = static_cast<index_t>(a.slice_offsets[slice + 1]) * a.slice;
  T sum = 0;
  bool more = true;
  for (; more && place < end; place += in_flight * a.slice) {
    I column[in_flight];
    T value[in_flight];
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      const bool inside = place + u * a.slice < end;
      column[u] = inside ? __ldcs(a.columns + place + u * a.slice) : static_cast<I>(padding);
      value[u] = inside ? __ldcs(a.values + place + u * a.slice) : T{0};
    }
#pragma unroll
    for (int u = 0; u < in_flight; ++u) {
      more = more && column[u] != static_cast<I>(padding);
      if (more) sum += value[u] * __ldg(v.x + column[u]);
    }
  }
  v.store(row, sum);
}

void run(const state&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  with_vector_call<sellp_view>(o, [&](const auto& a, const auto& v) {
    if (a.rows == 0) return;
    by_slices<<<static_cast<unsigned>((a.rows + threads - 1) / threads), threads, 0,
                cuda::stream_of(where)>>>(a, v);
    cuda::check(cudaGetLastError(), "{} could not be launched for {}", id,
                shape_text(extents{a.rows, a.cols}));
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::sellp) return {.because = "takes SELL-P"};
  if (p.a.transposed) return {.because = "takes A as it is, not transposed"};
  return {.possible = true,
          .run_seconds = costs::device_seconds(costs::dense_product_bytes(p), m),
          .because = "one thread per row, coalesced loads"};
}

}  // namespace

extern const kernel spmv_sellp_slices_cuda;
const kernel spmv_sellp_slices_cuda{
    .id = id,
    .summary = "one thread per row, each slice as wide as its longest row",
    .reference = "Anzt et al. 2020 (SELL-P)",
    .deterministic = true,
    .consider = consider,
    .run = run};

}  // namespace gossamer
