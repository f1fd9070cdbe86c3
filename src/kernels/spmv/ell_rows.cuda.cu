// ELL on a GPU (Anzt et al. 2020, Algorithm 4): neighbouring threads compute neighbouring rows,
// whose elements are neighbours in memory; where rows are few and wide, a warp or a block shares a
// row. A row stops at its first padding. Instead of the paper's atomics between the groups of one
// row a block adds in shared memory: results are bitwise reproducible.
#include "kernels/spmv/cuda/ell_rows.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

void run(const state&, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  with_vector_call<ell_view>(
      o, [&](const auto& a, const auto& v) { device::multiply_ell(where, a, v); });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::ell) return {.because = "takes ELL"};
  if (p.a.transposed) return {.because = "takes A as it is, not transposed"};
  return {.possible = true,
          .run_seconds = costs::device_seconds(costs::dense_product_bytes(p), m),
          .because = "ELL as stored, padding is read too"};
}

}  // namespace

extern const kernel spmv_ell_rows_cuda;
const kernel spmv_ell_rows_cuda{.id = "spmv/ell/rows/cuda",
                                .summary = "one thread, warp or block per row, by the ELL width",
                                .reference = "Anzt et al. 2020 (ELL, Algorithm 4)",
                                .deterministic = true,
                                .consider = consider,
                                .run = run};

}  // namespace gossamer
