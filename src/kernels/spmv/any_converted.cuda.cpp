// Any format but CSR on a GPU, transposed or not: A is converted to CSR, and the best CSR kernel
// multiplies. The plan keeps the copy if values are promised to be constant; else every run
// converts again, which is slow but supports transposed ELL, SELL-P and HYB.
#include <array>

#include "analysis/format_sizes.hpp"
#include "backends/cuda/runtime.hpp"
#include "gossamer/convert.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "plan/costs.hpp"
#include "plan/describe_problem.hpp"

namespace gossamer {

extern const kernel spmv_csr_adaptive_cuda;
extern const kernel spmv_csr_sliced_cuda;
extern const kernel spmv_csr_packed_cuda;

namespace {

constexpr std::array for_csr{&spmv_csr_adaptive_cuda, &spmv_csr_sliced_cuda, &spmv_csr_packed_cuda};

struct converted {
  csr_result rows;
  const kernel* by = nullptr;
  state prepared;
};

/// The operands with A replaced by its CSR copy; alpha is still the caller's.
operands with_rows(operands o, const csr_result& rows) {
  std::visit(
      [&]<class T>(expression<T>& e) {
        e.view = std::get<csr_matrix<T>>(rows).view();
        e.transposed = false;
      },
      o.a);
  return o;
}

csr_result rows_of(const operands& o, const context& where) {
  return std::visit(
      [&]<class T>(expression<T> e) -> csr_result {
        e.alpha = 1;
        return convert<csr_matrix<T>>(where, e);
      },
      o.a);
}

converted convert_and_prepare(const operands& o, const options& how, const context& where) {
  converted copy{.rows = rows_of(o, where), .prepared = {}};
  const operands inner = with_rows(o, copy.rows);
  options asked = how;
  asked.algorithm.clear();
  asked.memory_limit = 0;  // checked by the choice of this kernel
  problem p = describe_dense(where, inner, asked);
  p.explained = false;
  copy.by = choose(p, cuda::machine_of(where.device()), for_csr).chosen;
  copy.prepared = copy.by->prepare(p, inner, where);
  return copy;
}

state prepare(const problem& p, const operands& o, const context& where) {
  if (!p.options.constant_values) return {};
  auto copy = std::make_shared<converted>(convert_and_prepare(o, p.options, where));
  const index_t held = analysis::csr_bytes(p.a.shape, p.a.nnz, p.a.values) + copy->prepared.bytes;
  return {.tables = std::move(copy), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const auto multiply = [&](const converted& copy) {
    copy.by->run(copy.prepared, with_rows(o, copy.rows), where);
  };
  if (prepared.tables)
    multiply(prepared.as<converted>());
  else
    multiply(convert_and_prepare(o, {}, where));
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format == format::csr) return {.because = "takes what is not CSR"};
  if (p.a.format == format::dense) return {.because = "takes sparse formats"};
  problem rows = p;
  rows.a.format = format::csr;
  rows.a.places = p.a.nnz;
  const double product = costs::device_product(rows, m);
  const double conversion = costs::device_converting * product + costs::device_slicing;
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

extern const kernel spmv_any_converted_cuda;
const kernel spmv_any_converted_cuda{
    .id = "spmv/any/converted/cuda",
    .summary = "converts to CSR, kept by the plan if values are constant; any other format",
    .reference = "docs/kernels/spmv-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
