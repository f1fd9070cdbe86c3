// CSC on a GPU, which is also a transposed CSR: a group of threads a column, every entry added to y
// atomically. The bits depend on who comes first.
#include "kernels/shared/device_coo.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmv/csc/scatter/cuda";
constexpr int threads = 256, group = 8;

template <class T, class I, class O>
__global__ void __launch_bounds__(threads) scatter(csc_ref<const T, I, O> a, vector_call<T> v) {
  const index_t columns = static_cast<index_t>(gridDim.x) * (threads / group);
  for (index_t column = (static_cast<index_t>(blockIdx.x) * threads + threadIdx.x) / group;
       column < a.cols; column += columns) {
    const T factor = v.x[column];
    const auto last = static_cast<index_t>(a.offsets[column + 1]);
    for (index_t p = static_cast<index_t>(a.offsets[column]) + threadIdx.x % group; p < last;
         p += group)
      atomicAdd(v.y + a.row_indices[p], v.alpha * (__ldcs(a.values + p) * factor));
  }
}

void run(const state&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  with_vector_call<csc_view>(o, [&]<class A, class T>(const A& a, const vector_call<T>& v) {
    device::scale_result<T>(where, o);
    if (a.cols == 0) return;
    scatter<<<cuda::blocks_for(a.cols * group, where.device()), threads, 0,
              cuda::stream_of(where)>>>(a, v);
    cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csc) return {.because = "takes CSC, or a transposed CSR"};
  const double added = static_cast<double>(p.a.nnz) / costs::device_atomics;
  return {.possible = true,
          .run_seconds = costs::device_seconds(costs::dense_product_bytes(p), m) + added +
                         costs::device_launch,
          .because = "every entry added to y atomically, nothing to prepare"};
}

}  // namespace

extern const kernel spmv_csc_scatter_cuda;
const kernel spmv_csc_scatter_cuda{
    .id = id,
    .summary = "a group of threads a column, entries added atomically",
    .reference = "docs/kernels/spmv-cuda.md",
    .deterministic = false,
    .consider = consider,
    .run = run};

}  // namespace gossamer
