// CSR times a few dense columns on a GPU, up to 8 at a time: A is read once for a panel of 2, 4 or
// 8 columns. For the several right-hand sides of a solver; many columns deserve more than reading A
// again for each panel.
#include "kernels/spmm/cuda/panel_rows.cuh"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmm/csr/panels/cuda";
constexpr index_t widest = 8;     ///< columns of a panel
constexpr int least_threads = 4;  ///< a row

constexpr index_t panel_width(index_t columns) {
  return columns <= 2 ? 2 : columns <= 4 ? 4 : widest;
}
constexpr index_t panels_of(index_t columns) {
  return (columns + panel_width(columns) - 1) / panel_width(columns);
}
constexpr index_t most_panels = 65535;  ///< of one grid

struct tables {
  device::long_rows longer;
  int width = least_threads;  ///< threads a row that is not listed
};

/// Few threads a row: they add up their sums of every column. Longer rows need more of them.
int width_for(double mean) {
  int width = least_threads;
  while (width < device::warp_size && mean > 8 * width) width *= 2;
  return width;
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto made = std::make_shared<tables>();
  auto& longer = made->longer;
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
    const index_t places = longer.pieces * panel_width(p.result.cols) *
                           std::min(panels_of(p.result.cols), most_panels);
    longer.partials = device::empty_places(where, places);
  }
  made->width = width_for(static_cast<double>(longer.short_entries) /
                          static_cast<double>(std::max<index_t>(longer.short_rows, 1)));
  const index_t held = longer.bytes();
  return {.tables = std::move(made), .bytes = held};
}

template <int Width, int Each, class A, class T>
void launch(const A& a, const dense_call<T>& d, const tables& made, const context& where) {
  constexpr index_t columns = device::panel_call<Each, T>::width;
  const device::long_row_tables<T> longer(made.longer);
  const auto blocks = static_cast<unsigned>(longer.blocks() + longer.blocks_for(a.rows, Width));
  const index_t all = panels_of(d.columns());
  for (index_t first = 0; first < all; first += most_panels) {
    device::panel_call<Each, T> call{device::block_ref<const T>(d.b), device::block_ref<T>(d.c),
                                     d.columns() - first * columns, d.alpha, d.beta};
    call.b.values += first * columns * call.b.col_step;
    call.c.values += first * columns * call.c.col_step;
    const dim3 grid(blocks, static_cast<unsigned>(std::min(all - first, most_panels)));
    device::by_panels<Width><<<grid, device::row_threads, 0, cuda::stream_of(where)>>>(
        a, call, longer, made.longer.cutoff);
  }
}

template <int Each, class A, class T>
void launch_panels(const A& a, const dense_call<T>& d, const tables& made, const context& where) {
  switch (made.width) {
    case 4: return launch<4, Each>(a, d, made, where);
    case 8: return launch<8, Each>(a, d, made, where);
    case 16: return launch<16, Each>(a, d, made, where);
    default: return launch<32, Each>(a, d, made, where);
  }
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& made = prepared.as<tables>();
  std::visit(
      [&]<class T>(const expression<T>& e) {
        typed(std::get<csr_view<const T>>(e.view), [&](const auto& a) {
          const auto d = dense_arguments<T>(o);
          if (a.rows == 0 || d.columns() == 0) return;
          switch (panel_width(d.columns())) {
            case 2: launch_panels<1>(a, d, made, where); break;
            case 4: launch_panels<2>(a, d, made, where); break;
            default: launch_panels<4>(a, d, made, where);
          }
          cuda::launch_check(id, extents{a.rows, a.cols}, a.nnz());
        });
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  const auto panels = static_cast<double>(panels_of(p.result.cols));
  const auto offsets = static_cast<double>(p.a.shape.rows * bytes(p.a.index.offsets));
  const bool alike = costs::device_even(p);
  return {.possible = true,
          .prepare_seconds = alike ? 0 : 2 * costs::device_seconds(offsets, m) + costs::device_wait,
          .run_seconds = panels * costs::device_seconds(costs::sparse_bytes(p.a), m) +
                         costs::device_seconds(costs::dense_product_bytes(p), m),
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
