// CSR times a row-major block of columns on a GPU. A group of lanes, as many as a row of B has
// 16-byte packs, computes a row of C, or several consecutive ones as one stream of nonzeros; long
// rows are split over blocks. The idea of vector loads along a row of B with several in flight is
// that of GE-SpMM (Huang et al. 2020) and of Yang et al. 2018; streams across row ends, the shapes
// and the order of partial sums are ours.
#include "kernels/spmm/cuda/group_shapes.hpp"
#include "kernels/spmm/cuda/groups.cuh"
#include "kernels/spmm/cuda/row_major.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmm/csr/groups/cuda";
using device::group_tables;
using device::piece_sums;

device::group_shape planned_shape(const problem& p) {
  return device::shape_for({.columns = std::max<index_t>(p.result.cols, 1),
                            .value_bytes = static_cast<int>(bytes(p.a.values)),
                            .wide = p.a.index.indices == index_width::i64,
                            .mean_row = costs::mean_row(p),
                            .even = costs::device_even(p)});
}

/// For the shape of aligned operands. Others run with another shape, for which any plan is right.
device::group_plan plan_of(const problem& p, int multiprocessors) {
  return device::plan_for(
      planned_shape(p),
      {.nnz = p.a.nnz, .longest = p.rows.longest_on_device, .mean = costs::mean_row(p)},
      multiprocessors);
}

/// Nonzeros of a row are counted in 32 bits by the lanes that share it.
constexpr index_t longest_unsplit = index_t{1} << 30;

piece_sums sums_of(index_t pieces, const problem& p, const context& where) {
  if (pieces == 0) return {};
  const index_t needed = pieces * p.result.cols * static_cast<index_t>(bytes(p.a.values));
  piece_sums sums{buffer<double>((needed + 7) / index_t{sizeof(double)}, where.memory()),
                  buffer<unsigned>(pieces * device::most_tiles(p.result.cols), where.memory())};
  cuda::check(cudaMemsetAsync(sums.arrived.data(), 0,
                              static_cast<std::size_t>(sums.arrived.size()) * sizeof(unsigned),
                              cuda::stream_of(where)),
              "clearing the counters of {} pieces", count_text(pieces));
  return sums;
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  auto table = std::make_shared<group_tables>();
  const auto plan = plan_of(p, cuda::properties(where.device()).multiprocessors);
  table->rows_each = plan.rows_each;
  table->even = costs::device_even(p);
  auto& longer = table->longer;
  longer = plan.splits ? device::find_long_rows(where, device::offsets_of(o),
                                                {.of_short = plan.cutoff,
                                                 .for_a_group = plan.cutoff,
                                                 .for_a_half = plan.cutoff,
                                                 .for_a_warp = plan.cutoff,
                                                 .piece = plan.piece})
                       : device::no_long_rows(p.a.shape.rows, p.a.nnz);
  if (longer.pieces == 0 && p.rows.longest_on_device > longest_unsplit)
    throw fail(error_kind::not_available,
               "{} cannot split a row of {} nonzeros while its stream is captured; make the plan "
               "before",
               id, count_text(p.rows.longest_on_device));
  auto sums = std::make_shared<piece_sums>(sums_of(longer.pieces, p, where));
  const index_t held = longer.bytes() + sums->bytes();
  return {.tables = std::move(table), .workspace = std::move(sums), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto& table = prepared.as<group_tables>();
  auto& sums = prepared.workspace_as<piece_sums>();
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto& a = std::get<csr_view<const T>>(e.view);
        const auto d = dense_arguments<T>(o);
        if (a.shape.rows == 0 || d.columns() == 0) return;
        device::multiply_groups(a, d, table, sums, where);
        cuda::launch_check(id, a.shape, a.nnz());
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  if (!device::by_rows(p)) return {.because = "takes row-major B and C"};
  const auto plan = plan_of(p, m.gpu ? m.gpu->multiprocessors : 1);
  const index_t row_of_sums = p.result.cols * static_cast<index_t>(bytes(p.a.values));
  const double idle = p.result.cols == 1 ? costs::device_one_column : 1;
  return {.possible = true,
          .prepare_seconds = plan.splits ? costs::device_listing(p, m) + costs::device_wait : 0,
          .run_seconds = costs::device_part(costs::device_dense_product(p, m), idle),
          .bytes = plan.splits ? (p.a.nnz / plan.piece + 1) * row_of_sums : 0,
          .because = plan.splits ? "lanes along the columns of B, long rows split over blocks"
                                 : "lanes along the columns of B, loads in flight across row ends"};
}

}  // namespace

extern const kernel spmm_csr_groups_cuda;
const kernel spmm_csr_groups_cuda{
    .id = id,
    .summary = "groups of lanes along the columns, one row each or consecutive rows as one stream",
    .reference = "docs/kernels/spmm-cuda.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
