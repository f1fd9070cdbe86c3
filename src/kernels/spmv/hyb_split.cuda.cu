// HYB on a GPU (Bell and Garland 2009; Anzt et al. 2020): the ELL part first, which writes y, then
// the COO part, which adds to it; without atomics, so results are bitwise reproducible.
#include "kernels/spmv/cuda/coo_chunks.cuh"
#include "kernels/spmv/cuda/ell_rows.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

index_t coo_entries(const operands& o) {
  return visit_real(
      []<class T>(const expression<T>& e) {
        const auto* hyb = std::get_if<hyb_view<const T>>(&e.view);
        return hyb ? hyb->coo.nnz() : index_t{0};
      },
      o.a);
}

state prepare(const problem&, const operands& o, const context& where) {
  auto shares =
      std::make_shared<device::carries>(device::coo_shares(coo_entries(o), where.device()), where);
  const index_t held = shares->bytes();
  return {.workspace = std::move(shares), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  with_vector_call<hyb_view>(o, [&]<class A, class T>(const A& a, const vector_call<T>& v) {
    device::multiply_ell(where, a.ell, v);
    device::add_coo_in_order(where, a.coo, v, prepared.workspace_as<device::carries>().as<T>());
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::hyb) return {.because = "takes HYB"};
  if (p.a.transposed) return {.because = "takes A as it is, not transposed"};
  if (!p.dense.a_rows_sorted) return {.because = "takes a COO part sorted by rows; convert again"};
  return {.possible = true,
          .run_seconds =
              costs::device_seconds(costs::dense_product_bytes(p), m) + 2 * costs::device_launch,
          .because = "HYB as stored: ELL part by rows, then COO part by equal chunks"};
}

}  // namespace

extern const kernel spmv_hyb_split_cuda;
const kernel spmv_hyb_split_cuda{
    .id = "spmv/hyb/split/cuda",
    .summary = "ELL part by rows, then COO part with partial row sums added in order",
    .reference = "Anzt et al. 2020 (HYB)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
