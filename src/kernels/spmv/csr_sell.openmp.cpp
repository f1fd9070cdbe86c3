// CSR converted by the plan to SELL-C-sigma (Kreutzer et al. 2014; sell/sell_layout.hpp): one row
// per vector lane, columns as 16-bit distances or, on meshes, one per slot. Each thread begins with
// the part it has written, so that on NUMA machines its memory is local.
#include "kernels/spmv/sell/sell_kernel.hpp"

namespace gossamer {

namespace {

state prepare(const problem&, const operands& o, const context& where) {
  state prepared;
  with_vector_call<csr_view>(o,
                             [&](const auto& a, const auto&) { prepared = keep_sliced(a, where); });
  return prepared;
}

void run(const state& prepared, const operands& o, const context& where) {
  with_vector_call<csr_view>(o, [&]<class T>(const auto&, const vector_call<T>& v) {
    multiply_sliced(prepared.as<sell_layout<T>>(), v, where);
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  return consider_sliced(p, m);
}

}  // namespace

extern const kernel spmv_csr_sell_openmp;
const kernel spmv_csr_sell_openmp{
    .id = "spmv/csr/sell/openmp",
    .summary = "converted to SELL-C-sigma: one row per vector lane, compressed column indices",
    .reference = "Kreutzer et al. 2014 (SELL-C-sigma)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
