// COO on a GPU without atomics: the chunks of spmv/coo/atomic, but a chunk stores the rows inside
// it and writes partial sums of its first and last row, which a second launch adds in order.
// Nonzeros must be sorted by rows.
#include "kernels/spmv/cuda/coo_chunks.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

state prepare(const problem& p, const operands&, const context& where) {
  auto shares =
      std::make_shared<device::carries>(device::coo_shares(p.a.nnz, where.device()), where);
  const index_t held = shares->bytes();
  return {.workspace = std::move(shares), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  with_vector_call<coo_view>(o, [&]<class A, class T>(const A& a, const vector_call<T>& v) {
    device::scale_result<T>(where, o);
    device::add_coo_in_order(where, a, v, prepared.workspace_as<device::carries>().as<T>());
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::coo) return {.because = "takes COO"};
  if (!p.dense.a_rows_sorted) return {.because = "takes COO sorted by rows; convert, or sort it"};
  const double product = costs::device_seconds(costs::dense_product_bytes(p), m);
  return {.possible = true,
          .run_seconds = product + 2 * costs::device_launch,
          .because = "equal chunks of nonzeros per warp, partial row sums added in order"};
}

}  // namespace

extern const kernel spmv_coo_segments_cuda;
const kernel spmv_coo_segments_cuda{
    .id = "spmv/coo/segments/cuda",
    .summary = "equal chunks of nonzeros per warp, partial row sums added in order",
    .reference = "Anzt et al. 2020 (COO), without atomics",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
