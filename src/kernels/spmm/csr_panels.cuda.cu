// CSR times a few dense columns on a GPU, up to 8 at a time: A is read once for a panel of 2, 4 or
// 8 columns. Meant for the several right-hand sides of a solver; many columns need a kernel that
// does not read A again for each panel.
#include "kernels/spmm/cuda/panels.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmm/csr/panels/cuda";
using device::least_threads;
using device::most_panels;
using device::panel_tables;
using device::panel_width;
using device::panels_of;

/// Few threads per row, since they reduce their sums for every column. Longer rows need more.
int width_for(double mean) {
  int width = least_threads;
  while (width < device::warp_size && mean > 8 * width) width *= 2;
  return width;
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto table = std::make_shared<panel_tables>();
  auto& longer = table->longer;
  if (costs::device_even(p)) {
    longer = device::no_long_rows(p.a.shape.rows, p.a.nnz);
  } else {
    constexpr index_t of_short = 16;
    longer = device::find_long_rows(where, device::offsets_of(o),
                                    {.of_short = of_short,
                                     .for_a_group = of_short,
                                     .for_a_half = of_short,
                                     .for_a_warp = 256,
                                     .piece = device::block_step});
  }
  // A slot for each column of the panels of one launch.
  auto sums = std::make_shared<device::partial_sums>(
      where,
      longer.pieces * panel_width(p.result.cols) * std::min(panels_of(p.result.cols), most_panels));
  table->width = width_for(longer.mean_short());
  const index_t held = longer.bytes() + sums->bytes();
  return {.tables = std::move(table), .workspace = std::move(sums), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& table = prepared.as<panel_tables>();
  auto& sums = prepared.workspace_as<device::partial_sums>();
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto& a = std::get<csr_view<const T>>(e.view);
        const auto d = dense_arguments<T>(o);
        if (a.shape.rows == 0 || d.columns() == 0) return;
        device::multiply_panels(a, d, table, sums, where);
        cuda::launch_check(id, a.shape, a.nnz());
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  const auto panels = static_cast<double>(panels_of(p.result.cols));
  const bool alike = costs::device_even(p);
  const double once = panels * costs::device_seconds(costs::sparse_bytes(p.a), m) +
                      costs::device_seconds(costs::dense_product_bytes(p), m);
  return {.possible = true,
          .prepare_seconds = alike ? 0 : costs::device_listing(p, m),
          .run_seconds = std::max(
              once, costs::device_part(costs::device_dense_product(p, m), costs::device_panels)),
          .bytes = alike ? 0 : p.a.nnz / 2,
          .because = "A is read once per 8 columns, long rows are split over blocks"};
}

}  // namespace

extern const kernel spmm_csr_panels_cuda;
const kernel spmm_csr_panels_cuda{
    .id = id,
    .summary = "panels of up to 8 columns, threads per row chosen by its length",
    .reference = "docs/kernels/spmv-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
