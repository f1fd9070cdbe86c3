// Any format but CSR times a dense block on a GPU, A transposed or not and B and C in any layout: A
// is converted to CSR, and the best CSR kernel multiplies. The plan keeps the copy if values are
// promised to be constant; else every run converts again, which is slow but supports COO, ELL, HYB
// and transposed SELL-P.
#include <array>

#include "kernels/common/cuda/converted.hpp"
#include "plan/costs.hpp"

namespace gossamer {

extern const kernel spmm_csr_groups_cuda;
extern const kernel spmm_csr_panels_cuda;

namespace {

constexpr std::array for_csr{&spmm_csr_groups_cuda, &spmm_csr_panels_cuda};

state prepare(const problem& p, const operands& o, const context& where) {
  return device::prepare_converted(p, o, where, for_csr);
}

void run(const state& prepared, const operands& o, const context& where) {
  device::run_converted(prepared, o, where, for_csr);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format == format::csr) return {.because = "takes what is not CSR"};
  if (p.a.format == format::dense) return {.because = "takes sparse formats"};
  problem rows = p;
  rows.a.format = format::csr;
  rows.a.places = p.a.nnz;
  const double product = costs::device_dense_product(rows, m);
  const double conversion =
      costs::device_converting * costs::device_seconds(costs::sparse_bytes(rows.a), m) +
      costs::device_slicing;
  const bool kept = p.options.constant_values;
  return {.possible = true,
          .prepare_seconds = kept ? conversion : 0,
          .run_seconds = kept ? product : conversion + product,
          // The copy, the tables of its kernel, and the workspace of sorting.
          .bytes = static_cast<index_t>(3 * costs::sparse_bytes(rows.a)),
          .because = kept ? "brought into CSR once, then as fast as CSR"
                          : "brought into CSR for every product; constant_values would keep it"};
}

}  // namespace

extern const kernel spmm_any_converted_cuda;
const kernel spmm_any_converted_cuda{
    .id = "spmm/any/converted/cuda",
    .summary = "converts to CSR, kept by the plan if values are constant; any other format",
    .reference = "docs/kernels/spmm-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
