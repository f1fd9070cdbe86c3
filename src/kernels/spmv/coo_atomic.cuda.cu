// COO on a GPU as in Anzt et al. 2020: equal chunks of nonzeros per warp, 8, 32 or 128 threads per
// core by the size of the matrix, lanes of one row reduced by shuffles, row sums added to y
// atomically. Nonzeros sorted by rows need few atomic additions; any other order is still correct.
// The order of atomic additions varies, so results are not bitwise reproducible.
#include "kernels/spmv/cuda/coo_chunks.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

void run(const state&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  with_vector_call<coo_view>(o, [&]<class A, class T>(const A& a, const vector_call<T>& v) {
    device::scale_result<T>(where, o);
    device::add_coo_atomically(where, a, v);
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::coo) return {.because = "takes COO"};
  const double product = costs::device_seconds(costs::dense_product_bytes(p), m);
  const double scattered = static_cast<double>(p.a.nnz) / costs::device_atomics;
  return {.possible = true,
          .run_seconds = product + costs::device_launch + (p.dense.a_rows_sorted ? 0 : scattered),
          .because = p.dense.a_rows_sorted
                         ? "equal chunks of nonzeros per warp, row sums added atomically"
                         : "rows are not sorted, so each multiplication is added atomically"};
}

}  // namespace

extern const kernel spmv_coo_atomic_cuda;
const kernel spmv_coo_atomic_cuda{
    .id = "spmv/coo/atomic/cuda",
    .summary = "equal chunks of nonzeros per warp, row sums added atomically",
    .reference = "Flegar and Anzt 2017; Anzt et al. 2020 (COO)",
    .deterministic = false,
    .consider = consider,
    .run = run};

}  // namespace gossamer
