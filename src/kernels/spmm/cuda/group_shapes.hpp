// Which shape spmm/csr/groups/cuda takes: pure functions of a few facts, fitted to an H200
// (docs/kernels/spmm-cuda.md). No CUDA here, so that they can be tested anywhere.
#pragma once

#include <algorithm>

#include "gossamer/types.hpp"

namespace gossamer::device {

/// How a group of lanes computes rows of C.
struct group_shape {
  int pack = 1;          ///< elements per load
  int lanes = 4;         ///< along the columns
  int packs = 1;         ///< per lane
  int along = 1;         ///< lanes along the nonzeros of a row, for few columns
  int blocks = 4;        ///< per multiprocessor, as the registers allow
  bool one_row = false;  ///< a group takes one row and reads A as it lies

  constexpr int columns() const { return pack * lanes * packs; }
  constexpr int groups() const { return 256 / (lanes * along); }
  bool operator==(const group_shape&) const = default;
};

struct group_facts {
  index_t columns = 0;
  int value_bytes = 4;
  int alignment = 16;  ///< bytes that divide the addresses of all rows of B and C
  bool wide = false;   ///< column indices, positions of nonzeros or a row of B take 64 bits
  double mean_row = 1;
  bool even = false;  ///< no row is much longer than the mean
};

/// Rows of some length keep enough loads in flight by themselves if many groups fit: then a group
/// takes one of them and reads A as it lies. Shorter ones wait too often, longer ones gain from
/// reading A by fours.
constexpr bool medium_rows(const group_facts& f) { return f.mean_row >= 5.5 && f.mean_row <= 40; }

/// Single elements: rows that are not aligned, or something that takes 64 bits.
constexpr group_shape single_shape(const group_facts& f) {
  const bool single = f.value_bytes == 4;
  if (f.columns <= 4) {
    const bool one_row = !f.wide && medium_rows(f);
    return {.pack = 1, .lanes = 4, .blocks = one_row ? 5 : 4, .one_row = one_row};
  }
  if (f.columns <= 16) return {.pack = 1, .lanes = 8, .packs = 2};
  if (f.columns <= 48) return {.pack = 1, .lanes = 16, .packs = 3, .blocks = single ? 4 : 3};
  return {.pack = 1, .lanes = 32, .packs = 4, .blocks = single ? 4 : 2};
}

/// Rows of B of more than 256 bytes, in whole packs.
constexpr group_shape broad_shape(const group_facts& f, int pack) {
  const bool single = f.value_bytes == 4, medium = medium_rows(f);
  if (f.columns > 32 * pack) {
    const bool one_row = f.even && f.mean_row >= (single ? 8.5 : 12) && f.mean_row <= 80;
    return {.pack = pack,
            .lanes = 32,
            .packs = 2,
            .blocks = one_row && single ? 4 : 3,
            .one_row = one_row};
  }
  // Where rows differ, a whole warp has the longer ones done sooner.
  if (medium && (single ? !f.even : !f.even || f.mean_row >= 12))
    return {.pack = pack, .lanes = 32, .blocks = single ? 6 : 5, .one_row = true};
  const bool one_row = single && medium;
  return {.pack = pack, .lanes = 16, .packs = 2, .blocks = one_row ? 4 : 3, .one_row = one_row};
}

/// Wide loads where the rows are aligned and their width allows it. A tile holds all columns up to
/// 1 KB; where something takes 64 bits, single elements are loaded: there are fewer kernels for
/// that.
constexpr group_shape shape_for(const group_facts& f) {
  const bool single = f.value_bytes == 4;
  int pack = 16 / f.value_bytes;
  while (pack > 1 && (f.columns % pack != 0 || f.alignment % (pack * f.value_bytes) != 0))
    pack /= 2;
  const bool pair_of_floats = single && pack == 2;
  if (f.wide || (pair_of_floats && f.columns > 2)) pack = 1;
  if (pack == 1) return single_shape(f);
  const index_t needed = f.columns / pack;
  if (needed == 1) {
    // Rows of B this short are latency alone: more lanes wait at once.
    const bool shared = f.mean_row >= 12;
    return {.pack = pack, .lanes = 1, .along = shared ? 4 : 1};
  }
  if (needed > 16) return broad_shape(f, pack);
  int lanes = 2;
  while (lanes < needed) lanes *= 2;
  const bool one_row = medium_rows(f) && (single || lanes < 16 || !f.even || f.mean_row >= 12);
  return {.pack = pack,
          .lanes = lanes,
          .blocks = !one_row ? 4
                    : single ? 6
                             : 5,
          .one_row = one_row};
}

/// What a plan sets besides: any numbers are right for any shape.
struct group_plan {
  int rows_each = 1;    ///< consecutive rows of a group
  index_t cutoff = 0;   ///< largest length of a row for one group
  index_t piece = 0;    ///< nonzeros of a longer row that one block computes
  bool splits = false;  ///< there are such rows
};

/// The rows that are looked at together.
struct row_facts {
  index_t nnz = 0, longest = 0;
  double mean = 1;
};

/// Rows of a group when they are alike: enough nonzeros to keep loads in flight across the ends of
/// rows. Narrow groups take few rows, since neighbouring lanes should read neighbouring parts of A.
constexpr int rows_per_group(const group_shape& shape, double mean_row) {
  if (shape.lanes == 1 || shape.one_row) return 1;
  if (shape.lanes == 2) return mean_row < 8 ? 2 : 1;
  if (shape.lanes == 32 && shape.packs == 2 && mean_row > 16) return 1;
  int rows = mean_row <= 80 ? 2 : 1;
  while (rows < 16 && 2 * rows * mean_row <= 72) rows *= 2;
  return rows;
}

/// Rows are long when a group with only such rows would run well after all others are done.
constexpr group_plan plan_for(const group_shape& shape, const row_facts& rows,
                              int multiprocessors) {
  const double at_once = static_cast<double>(multiprocessors) * shape.blocks * shape.groups();
  const double share = static_cast<double>(rows.nnz) / at_once;  // of a group, were all alike
  const double least = shape.lanes < 8 ? 256 : 64;
  double cutoff = std::max(least, std::min(4 * rows.mean, share));
  group_plan plan{.rows_each = rows_per_group(shape, rows.mean)};
  plan.splits = static_cast<double>(rows.longest) > cutoff;
  if (plan.splits) {
    const double most = std::max(32.0, 2 * share);  // nonzeros of a group
    while (plan.rows_each > 1 && plan.rows_each * 4 * rows.mean > most) plan.rows_each /= 2;
    cutoff = std::clamp(most / plan.rows_each, 32.0, cutoff);
  }
  plan.cutoff = static_cast<index_t>(cutoff);
  const auto each = static_cast<index_t>(std::clamp(share / 4, 32.0, 512.0)) & ~index_t{3};
  plan.piece = each * (256 / shape.lanes);
  return plan;
}

}  // namespace gossamer::device
