// CSC (also a transposed CSR): the plan transposes it once, then keeps it like csr_sell. Nothing is
// scattered, and results are bitwise reproducible for any number of threads.
#include "gossamer/convert.hpp"
#include "kernels/spmv/sell/sell_kernel.hpp"

namespace gossamer {

namespace {

state prepare(const problem&, const operands& o, const context& where) {
  return visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto rows = convert<csr_matrix<T>>(where, std::get<csc_view<const T>>(e.view));
        state prepared;
        typed(csr_view<const T>(rows.view()),
              [&](const auto& a) { prepared = keep_sliced(a, where); });
        return prepared;
      },
      o.a);
}

void run(const state& prepared, const operands& o, const context& where) {
  with_vector_call<csc_view>(o, [&]<class T>(const auto&, const vector_call<T>& v) {
    multiply_sliced(prepared.as<sell_layout<T>>(), v, where);
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csc) return {.because = "takes CSC, or a transposed CSR"};
  auto said = consider_sliced(p, m);
  if (!said.possible) return said;
  said.prepare_seconds += costs::turned_entry * static_cast<double>(p.a.nnz) / p.threads;
  said.bytes += static_cast<index_t>(costs::sparse_bytes(p.a));  // the transposed copy, until it is
                                                                 // converted
  said.because = "transposed once by the plan, so nothing is scattered;  " + said.because;
  return said;
}

}  // namespace

extern const kernel spmv_csc_sell_openmp;
const kernel spmv_csc_sell_openmp{
    .id = "spmv/csc/sell/openmp",
    .summary = "plan transposes and converts to SELL-C-sigma; also for a transposed CSR",
    .reference = "Kreutzer et al. 2014 (SELL-C-sigma)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
