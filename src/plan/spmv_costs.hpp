// Predictions for y = A x on a CPU with A by rows: in CSR as it is, and in SELL. What a core does
// is charged by nonzeros, rows and slots (machine::spmv, of the processor's maker), what lies
// outside of its caches by lines and bytes. docs/notes/choice-cpu.md has the fit, the matrices it
// was made on, and how it does on others.
#pragma once

#include <cmath>

#include "plan/costs.hpp"

namespace gossamer::costs {

/// A kernel that keeps a copy of A must be predicted to gain this much: predictions are that good.
inline constexpr double copy_margin = 1.08;
/// Share of the time of streaming from the last-level cache that computing does not hide.
inline constexpr double unhidden = 0.2;
/// Time of a cache line of x in SELL over that in CSR, whose loads wait for mispredicted row ends:
/// from the L2, from the last-level cache; from memory it is the same.
inline constexpr double sell_line = 0.33, sell_near_line = 0.7;
/// Preparing SELL: its memory and tables; one nonzero on one core, in straight slots and in others.
inline constexpr double sell_start = 1e-4, sell_straight_entry = 12e-9, sell_gathered_entry = 25e-9;

/// Seconds for a cache line of x.
struct line_costs {
  double rows = 0, sell = 0;
};
inline line_costs x_line(const problem& p, const machine& m) {
  const double x = dense_bytes(p.b.shape, p.b.values);
  const double near = std::max(near_line, m.spmv.x_line);
  if (x <= static_cast<double>(m.l2)) return {m.spmv.x_line, sell_line * m.spmv.x_line};
  if (x <= near_x) return {near, sell_near_line * near};
  return {far_line, far_line};
}

/// Seconds that bytes in the last-level cache add to computing: none for what stays in the L2.
inline double unhidden_stream(double bytes, const machine& m) {
  const double beyond = bytes / std::max(static_cast<double>(m.l2), 1.0) - 0.5;
  return std::clamp(beyond, 0.0, 1.0) * unhidden * bytes / m.l3_bandwidth;
}

/// Seconds of one core for the rows of CSR; kernels/spmv/rows/row_sums.hpp has the loops.
inline double rows_compute(const problem& p, const machine& m) {
  const auto& cost = m.spmv;
  const auto& seen = p.rows.lengths;
  const double rows = static_cast<double>(p.a.shape.rows), nnz = static_cast<double>(p.a.nnz);
  const double irregular =
      seen.rows > 0 ? 1 - static_cast<double>(seen.predicted) / static_cast<double>(seen.rows) : 0;
  const bool remembered = p.a.shape.rows <= cost.remembered_rows;
  const double forgotten =
      remembered ? 0 : 1 - static_cast<double>(cost.remembered_rows) / std::max(rows, 1.0);
  const double per_row = remembered        ? cost.surprise * irregular
                         : irregular > 0.5 ? cost.masked_row
                                           : cost.misprediction * irregular * forgotten;
  return nnz * cost.entry + rows * (cost.row + per_row) + nnz * p.rows.x_lines * x_line(p, m).rows +
         unhidden_stream(dense_product_bytes(p), m);
}

/// A in SELL as a sample of its groups shows it.
struct sell_shape {
  double straight = 0, gathered = 0;  ///< slots
  double gathered_entries = 0;        ///< nonzeros
  double groups = 0;
  double moved = 0;  ///< rows
  double bytes = 0;  ///< of the layout
};
inline sell_shape in_sell(const problem& p) {
  const auto& seen = p.rows.lanes;
  const double rows = static_cast<double>(p.a.shape.rows), nnz = static_cast<double>(p.a.nnz);
  const double lanes = 64.0 / static_cast<double>(bytes(p.a.values));
  sell_shape found{.groups = rows / lanes, .moved = seen.sorted ? rows : 0};
  const double alone = seen.alone * nnz;
  double wide = p.rows.x_lines > sell_wide_lines ? 1 : 0;
  if (seen.groups == 0) {  // not looked at: CSC, whose rows are not known
    found.gathered = 1.2 * nnz / lanes;
    found.gathered_entries = nnz;
    found.moved = rows;
  } else {
    const double each = (nnz - alone) / std::max(static_cast<double>(seen.entries), 1.0);
    found.straight = each * static_cast<double>(seen.straight);
    found.gathered = each * static_cast<double>(seen.gathered) + alone / lanes;
    found.gathered_entries = each * static_cast<double>(seen.gathered_entries) + alone;
    wide = static_cast<double>(seen.wide) / static_cast<double>(seen.groups);
  }
  const double value = p.rows.float_values ? 4 : static_cast<double>(bytes(p.a.values));
  found.bytes = (found.straight + found.gathered) * (lanes * value + 2) + 4 * found.straight +
                found.gathered * lanes * 2 * (1 + wide) + 48 * found.groups + 4 * found.moved;
  return found;
}

/// Bytes of one product in SELL.
inline double sell_product_bytes(const problem& p, const sell_shape& a) {
  return a.bytes + dense_bytes(p.b.shape, p.b.values) +
         dense_bytes(p.result, p.a.values) * (p.dense.reads_result ? 2 : 1);
}

/// Seconds of one core for SELL.
inline double sell_compute(const problem& p, const machine& m, const sell_shape& a) {
  const auto& cost = m.spmv;
  return a.straight * cost.straight_slot + a.gathered_entries * cost.gathered_entry +
         a.groups * cost.group + a.moved * cost.moved_row +
         static_cast<double>(p.a.nnz) * p.rows.x_lines * x_line(p, m).sell +
         unhidden_stream(sell_product_bytes(p, a), m);
}

/// Seconds to convert to it.
inline double sell_prepare(const problem& p, const sell_shape& a) {
  const double straight = static_cast<double>(p.a.nnz) - a.gathered_entries;
  return sell_start +
         (straight * sell_straight_entry + a.gathered_entries * sell_gathered_entry) / p.threads;
}

/// Seconds of so many threads: computing, or memory where that is more.
inline double spmv_seconds(double bytes, double compute, const machine& m, int threads) {
  const int team = useful_threads(bytes, threads);
  const bool in_memory = bytes > last_caches(m, team);
  const double memory = in_memory ? bytes / m.bandwidth(team) : 0;
  return std::max(memory, compute / team) + team_start * (team - 1);
}

}  // namespace gossamer::costs
