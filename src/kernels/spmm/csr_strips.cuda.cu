// CSR times a row-major block of columns on a GPU for matrices whose neighbouring rows share
// columns, as meshes do: four rows at once, so that a row of B is loaded once for all of them. The
// plan keeps the columns of each strip; values may change. Where columns do not ascend, or few are
// shared, and for blocks that are not aligned, it multiplies as csr/groups does.
#include <array>

#include "backends/cuda/check.hpp"
#include "backends/cuda/device.hpp"
#include "kernels/common/cuda/converted.hpp"
#include "kernels/spmm/cuda/row_major.hpp"
#include "kernels/spmm/cuda/strip_launch.cuh"
#include "kernels/spmm/cuda/strip_rule.hpp"
#include "plan/costs.hpp"

namespace gossamer {

extern const kernel spmm_csr_groups_cuda;

namespace {

constexpr std::string_view id = "spmm/csr/strips/cuda";
constexpr std::array otherwise{&spmm_csr_groups_cuda};

struct tables {
  device::strip_plan strips;
  device::chosen_for_rows groups;
};

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto table = std::make_shared<tables>();
  table->groups = device::prepare_rows(o, p.options, where, otherwise);
  // Asked for by name, strips are built whatever they share.
  const bool asked = !p.options.algorithm.empty();
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto& a = std::get<csr_view<const T>>(e.view);
        table->strips = device::find_strips(where, a.shape, a.offsets,
                                            static_cast<const std::int32_t*>(a.columns.data()),
                                            asked ? a.nnz() : device::most_strip_entries(a.nnz()));
      },
      o.a);
  const index_t held = table->strips.bytes() + table->groups.prepared.bytes;
  return {.tables = std::move(table), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& table = prepared.as<tables>();
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto& a = std::get<csr_view<const T>>(e.view);
        const auto d = dense_arguments<T>(o);
        const bool done = !table.strips.empty() && d.columns() > 0 &&
                          device::multiply_strips(a, d, table.strips, where);
        if (done) return cuda::launch_check(id, a.shape, a.nnz());
        table.groups.by->run(table.groups.prepared, o, where);
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  if (!device::by_rows(p)) return {.because = "takes row-major B and C"};
  if (p.a.index.indices != index_width::i32) return {.because = "takes 32-bit columns"};
  if (p.a.shape.cols > device::most_strip_columns || p.a.nnz > device::most_strip_nonzeros)
    return {.because = "takes fewer than 2^28 columns and 2^31 nonzeros"};
  const bool shares = device::may_share({.columns = p.result.cols,
                                         .value_bytes = static_cast<int>(bytes(p.a.values)),
                                         .mean_row = costs::mean_row(p),
                                         .even = costs::device_even(p),
                                         .x_lines = p.rows.x_lines});
  const double sparse = costs::device_seconds(costs::sparse_bytes(p.a), m);
  return {.possible = true,
          .prepare_seconds = costs::device_strips_prepare * sparse + 2 * costs::device_wait,
          .run_seconds = costs::device_part(costs::device_dense_product(p, m),
                                            shares ? costs::device_strips : 1.01),
          .bytes = device::most_strip_entries(p.a.nnz) * 4 + p.a.shape.rows,
          .because = shares ? "a row of B is loaded once for four rows that share columns"
                            : "rows are not known to share columns; as csr/groups if they do not"};
}

}  // namespace

extern const kernel spmm_csr_strips_cuda;
const kernel spmm_csr_strips_cuda{
    .id = id,
    .summary = "four rows at once, a row of B loaded once for all; the plan keeps their columns",
    .reference = "docs/kernels/spmm-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
