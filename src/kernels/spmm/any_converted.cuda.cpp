// Any format but CSR times a dense block on a GPU, A transposed or not and B and C in any layout: A
// is converted to CSR, and the best CSR kernel multiplies. The plan keeps the copy if values are
// promised to be constant; else every run converts again, which is slow but supports COO, ELL, HYB
// and transposed SELL-P.
#include <array>

#include "kernels/common/cuda/converted.hpp"
#include "plan/costs.hpp"

namespace gossamer {

extern const kernel spmm_csr_row_split_cuda;
extern const kernel spmm_csr_groups_cuda;
extern const kernel spmm_csr_panels_cuda;

namespace {

constexpr std::array for_csr{&spmm_csr_groups_cuda, &spmm_csr_panels_cuda};
constexpr std::array for_complex_csr{&spmm_csr_row_split_cuda};

catalogue kernels_for(const operands& o) {
  if (is_complex(facts(o.a).values)) return for_complex_csr;
  return for_csr;
}

state prepare(const problem& p, const operands& o, const context& where) {
  return device::prepare_converted(p, o, where, kernels_for(o));
}

void run(const state& prepared, const operands& o, const context& where) {
  device::run_converted(prepared, o, where, kernels_for(o));
}

verdict consider(const problem& p, const machine& m) {
  const problem rows = device::as_rows(p);
  const double product = costs::device_dense_product(rows, m);
  const double conversion =
      costs::device_converting * costs::device_seconds(costs::sparse_bytes(rows.a), m) +
      costs::device_slicing;
  return device::consider_converted(p, product, conversion);
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
    .run = run,
    .values = taken_values::all};

}  // namespace gossamer
