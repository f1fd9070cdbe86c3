// The constants that predictions and choices rest on. Predictions rank kernels; they are not
// promises. Each constant names the record behind it; where it names none it was fitted by hand,
// and the regret of the choice in the records of its group is the only check of it.
#pragma once

#include <algorithm>

#include "gossamer/machine.hpp"
#include "plan/problem.hpp"

namespace gossamer::costs {

// SpMV and SpMM on CPUs: seconds on one core of an EPYC (Zen 4). Records:
// bench/results/epyc-2-spmv.jsonl, epyc-2-spmv-plans.jsonl; tables in docs/kernels/spmv-cpu.md.

/// Starting and joining a parallel region, per additional thread (libgomp: 2 to 5 us on 2 cores;
/// docs/notes/spmv-cpu.md, "What a call costs").
inline constexpr double team_start = 3e-6;
/// Bytes that justify a thread: an SpMV of 200 KB takes two threads as long as one (5 us; the
/// table of docs/notes/spmv-cpu.md, "What a call costs").
inline constexpr double thread_bytes = 96 << 10;
/// Unpacking the operands in every call, for kernels without a direct entry point.
inline constexpr double unpacking = 60e-9;
/// One nonzero of a sparse row on one core when the data is in cache.
inline constexpr double entry_compute = 0.6e-9;
/// One nonzero of other kernels over that: the reference kernels; coo/segments, which compares row
/// indices; spmm/any/columns, per column of B.
inline constexpr double reference_entry = 2, coo_entry = 1.3, column_entry = 1.2;
/// Times of csr/merge and any/owner over what their bytes and nonzeros predict.
inline constexpr double merge_overhead = 1.05, owner_overhead = 1.2;
/// One multiplication of SpMM with a tile of C in registers, rows of B in the L2: 27-point meshes
/// reach 20 GFLOP/s in double on one core of an EPYC.
inline constexpr double panel_multiplication = 0.1e-9;
/// Extra work per row of a row-wise loop: bounds, store, loop start.
inline constexpr double row_overhead = 1.2e-9;
/// Extra work per chunk of a merge path: search, carry, fix-up.
inline constexpr double chunk_overhead = 0.5e-6;
/// The part of it that a plan does once: the search.
inline constexpr double chunk_search = 0.2 * chunk_overhead;
/// A cache line of x that is not in L2: in the last-level cache, and in memory.
inline constexpr double near_line = 1.2e-9;
inline constexpr double far_line = 5e-9;
/// An x of more bytes is in memory rather than in the last cache: A keeps evicting it.
inline constexpr double near_x = 12.0 * (1 << 20);
/// From these cache lines of x per nonzero on: groups of SELL span too many columns for 16-bit
/// distances; x is scattered, every nonzero misses on a separate line.
inline constexpr double sell_wide_lines = 0.5, scattered_lines = 0.9;
/// Where x is scattered, SELL gains nothing on mean rows of this length, which fill vectors: ER-16
/// took 0.98 to 1.12 of the time of CSR (docs/notes/spmv-cpu.md, "Plans").
inline constexpr double sell_longest_scattered = 12;
/// Transposing one nonzero of CSC into rows.
inline constexpr double turned_entry = 10e-9;
/// One nonzero of csr/bins, both passes, in cache; the start of a segment; the conversion of one
/// nonzero.
inline constexpr double binned_entry = 2.1e-9;
inline constexpr double binned_segment = 20e-9;
inline constexpr double bin_entry = 8e-9;
/// Preparing a segment, in starts of one.
inline constexpr double bin_segment = 4;
/// A scattered read-modify-write that stays in L2.
inline constexpr double scatter_entry = 1.2e-9;

// SpGEMM: seconds on one core of an EPYC, between what random matrices and meshes take; from the
// last table of docs/notes/spgemm-adaptive.md, "Measured".

/// Multiplications that are worth a thread: docs/notes/spgemm-adaptive.md, "thread start-up
/// for small products".
inline constexpr index_t thread_products = 20'000;
/// One multiplication inserted in a hash table that stays in L2, symbolic and numeric phase
/// together.
inline constexpr double hash_product = 6e-9;
/// The same in a table that is probed with vector compares: seldom less.
inline constexpr double hashvec_product = 6.3e-9;
/// Sorting one nonzero of a result row.
inline constexpr double sort_entry = 10e-9;
/// Nonzeros of C per multiplication, for the sorting of rows that were not counted.
inline constexpr double sorted_share = 0.5;
/// Shares of the symbolic and the numeric phase in the time of hash tables and of spa.
inline constexpr double symbolic_share = 0.4, numeric_share = 0.6;
/// Share of each phase of heap, and of counting and filling by adaptive, whose refills of meshes
/// take 0.55 to 0.9 of a product (docs/notes/spgemm-adaptive.md, "Measured").
inline constexpr double phase_share = 0.5;
/// One multiplication of the reference kernel, which keeps rows in a std::map, in each phase.
inline constexpr double reference_product = 1e-7;

/// One multiplication in a dense accumulator with a list, symbolic and numeric phase together.
inline constexpr double spa_product = 10e-9;
/// One multiplication through one level of a heap, symbolic and numeric phase together.
inline constexpr double heap_step = 15e-9;
/// One step of a binary search in a row of C.
inline constexpr double search_step = 2e-9;
/// One product of csr/adaptive: 0.6 where columns are contiguous and meet often, 12 where they are
/// scattered.
inline constexpr double adaptive_product = 4.5e-9;
/// A row of csr/adaptive: start, walk, store.
inline constexpr double adaptive_row = 15e-9;

/// One multiplication through all phases of propagation blocking on one core: 3 digits sorted in
/// L2.
inline constexpr double pb_product = 9e-9;
/// One nonzero of A sorted by columns.
inline constexpr double pb_entry = 12e-9;
/// Bytes of column offsets that each slice of A moves, per column of A.
inline constexpr double pb_slice_column = 40;

/// What is streamed stays in an L2 up to this share of its size.
inline constexpr double cached_share = 0.75;

/// Bytes of a dense vector or block of this shape.
inline double dense_bytes(extents shape, value_type type) {
  return static_cast<double>(shape.rows) * static_cast<double>(shape.cols) *
         static_cast<double>(bytes(type));
}

/// Bytes that must move for one pass over a sparse operand: indices and values, padding included.
inline double sparse_bytes(const operand_facts& a) {
  const double per_place = static_cast<double>(bytes(a.values) + bytes(a.index.indices));
  const double places = static_cast<double>(a.places) * per_place;
  switch (a.format) {
    case format::csr:
      return places + static_cast<double>((a.shape.rows + 1) * bytes(a.index.offsets));
    case format::csc:
      return places + static_cast<double>((a.shape.cols + 1) * bytes(a.index.offsets));
    case format::coo: return places + static_cast<double>(a.nnz * bytes(a.index.indices));
    default: return places;
  }
}

/// Bytes of all last-level caches that so many threads use.
inline double last_caches(const machine& m, int threads) {
  const int caches = (threads + m.l3_cores - 1) / std::max(m.l3_cores, 1);
  return static_cast<double>(m.l3) * std::max(caches, 1);
}

/// Seconds to stream this many bytes, again and again, with these threads: from the L2 of each when
/// its share stays there, from the last-level cache, or from memory.
inline double stream(double bytes, const machine& m, int threads) {
  const double memory = bytes / m.bandwidth(threads);
  const double each = bytes / threads;
  if (each <= cached_share * static_cast<double>(m.l2))
    return std::min(each / m.l2_bandwidth, memory);
  if (bytes <= last_caches(m, threads)) return std::min(each / m.l3_bandwidth, memory);
  return memory;
}

/// Threads worth starting, at most `threads`. Kernels split work by the same rule, so the
/// prediction is about what will run.
inline int useful_threads(double bytes, int threads) {
  return static_cast<int>(std::clamp(bytes / thread_bytes, 1.0, static_cast<double>(threads)));
}

/// Seconds of work that justify a thread in a product with a dense block; starting it takes
/// team_start.
inline constexpr double thread_seconds = 5e-6;

/// Threads worth starting for so many nonzeros times columns, counted in doubles.
inline int panel_threads(index_t nnz, double columns, int threads) {
  const double seconds =
      static_cast<double>(nnz) * (entry_compute + columns * panel_multiplication);
  return static_cast<int>(std::clamp(seconds / thread_seconds, 1.0, static_cast<double>(threads)));
}

/// Seconds of traffic or of computing, whichever is more, plus starting the threads.
inline double seconds(double bytes, double compute, const machine& m, int threads) {
  const int team = useful_threads(bytes, threads);
  return std::max(stream(bytes, m, team), compute / team) + team_start * (team - 1);
}

/// Computing seconds that wait for x in a product that reads nonzeros in row order.
inline double x_seconds(const problem& p, const machine& m) {
  const double x = dense_bytes(p.b.shape, p.b.values);
  if (x <= static_cast<double>(m.l2)) return 0;
  return p.rows.x_lines * static_cast<double>(p.a.nnz) * (x <= near_x ? near_line : far_line);
}

// Constants of devices: seconds on an H200. Records: bench/results/h200-spmv.jsonl,
// h200-spmv-real.jsonl; tables in docs/kernels/spmv-cuda.md.

/// Latency of a launch: until the first instruction, and from the last to the next operation.
inline constexpr double device_launch = 3e-6;
/// One dependent load of a group without other work.
inline constexpr double device_step = 0.6e-6;
/// Bytes that the search for the start of a tile touches: on the merge path, in offsets alone.
inline constexpr double device_path_search = 256, device_offset_search = 64;

/// Until the host has a result from the device.
inline constexpr double device_wait = 10e-6;
/// Times of other CSR kernels over that of spmv/csr/adaptive.
inline constexpr double device_merge = 1.5, device_balanced = 1.6, device_classical = 1.3;
/// Times of csr/sliced, launch aside, over that of spmv/csr/adaptive: where bytes are the limit;
/// where x is; in large matrices of all row lengths, whose long rows stay in CSR; in smaller ones;
/// where most rows are too long for slices.
inline constexpr double device_sliced = 0.68, device_sliced_by_x = 1.03,
                        device_sliced_skewed = 0.92, device_sliced_uneven = 1.3,
                        device_sliced_long = 1.2;
/// Below the first skew slices are not padded; above the second they gain nothing.
inline constexpr double device_equal_rows = 1.1, device_unequal_rows = 1.5;
/// From these cache lines of x per nonzero on, gathers of x are the limit of slices; of packs.
inline constexpr double device_sliced_lines = 0.3, device_scattered_lines = 0.9;
/// Bytes of a copy in slices, and in packs, over those of A: padding and tables.
inline constexpr double device_sliced_bytes = 1.2, device_packed_bytes = 1.3;
/// More nonzeros in the mean row than this and most rows are too long for slices.
inline constexpr index_t device_longest_sliced = 40;
/// Times of csr/packed over that of spmv/csr/adaptive: where rows differ, and elsewhere.
inline constexpr double device_packed = 0.8, device_packed_elsewhere = 1.1;
/// Fewer nonzeros than this and the launch takes most of the time: packing gains nothing.
inline constexpr index_t device_least_packed = 50'000;
/// Preparing a copy in slices or packs, in products; its memory the first time, and the waits for
/// the device on the way.
inline constexpr double device_copying = 12;
inline constexpr double device_slicing = 0.2e-3;
/// A conversion to CSR, in products (bench/results/h200-convert.jsonl).
inline constexpr double device_converting = 40;
/// The index of csc/rows: sorting, in products, and the waits for the device on the way.
inline constexpr double device_indexing = 10, device_indexing_waits = 5;
/// Bytes that a scattered load moves: a sector.
inline constexpr double device_sector = 32;
/// Cache lines of x per second from the L2: its throughput in sectors, as Nsight Compute shows.
inline constexpr double device_gathers = 120e9;
/// Time of cuSPARSE over that of spmv/csr/adaptive, and of its preparation with a handle of its
/// own.
inline constexpr double device_vendor = 1.4, device_vendor_start = 2e-3;
/// Atomic additions per second to different addresses.
inline constexpr double device_atomics = 60e9;

/// Seconds to move this many bytes on the machine's device: from the L2 when they fit half of it.
inline double device_seconds(double bytes, const machine& m) {
  if (!m.gpu) return device_launch;
  const bool cached = bytes < 0.5 * static_cast<double>(m.gpu->l2);
  return device_launch + bytes / (cached ? m.gpu->l2_bandwidth : m.gpu->bandwidth);
}

/// Traffic of y = A x or C = A B with the dense operands read and written once.
inline double dense_product_bytes(const problem& p) {
  return sparse_bytes(p.a) + dense_bytes(p.b.shape, p.b.values) +
         dense_bytes(p.result, p.a.values) * (p.dense.reads_result ? 2 : 1);
}

/// The mean number of nonzeros in a row of A.
inline double mean_row(const problem& p) {
  return static_cast<double>(p.a.nnz) / static_cast<double>(std::max<index_t>(p.a.shape.rows, 1));
}

// Dense blocks on a device: docs/kernels/spmm-cuda.md has the table these are from.

/// Share of the bandwidth that spmm/csr/groups reaches where B and C decide.
inline constexpr double device_dense_share = 0.72;
/// Bytes of rows of B a second that reach the multiprocessors, once per nonzero: mostly from L1
/// and L2 on meshes.
inline constexpr double device_row_bytes = 9e12;
/// Of other kernels against it: panels, which read A again for every 8 columns; row split and merge
/// as published; cuSPARSE.
inline constexpr double device_panels = 1.6, device_row_split = 4, device_row_merge = 4.5,
                        device_dense_vendor = 1.7;
/// Strips of rows that share columns against csr/groups (0.5 to 1), and the time of finding them in
/// passes over A.
inline constexpr double device_strips = 0.8, device_strips_prepare = 30;
/// SELL-P, one row at a time; not measured.
inline constexpr double device_dense_slices = 1.3;
/// Atomic additions per second to neighbouring elements of rows of C; not measured.
inline constexpr double device_row_atomics = 600e9;
/// Time of a single column by spmm/csr/groups over its prediction: three of four lanes are idle.
inline constexpr double device_one_column = 2 * device_panels;

/// C = A B on a device with rows of B in whole packs: bytes moved once, or rows of B gathered.
inline double device_dense_product(const problem& p, const machine& m) {
  const double streamed = device_seconds(dense_product_bytes(p), m) - device_launch;
  const double gathered = static_cast<double>(p.a.nnz) * static_cast<double>(p.result.cols) *
                          static_cast<double>(bytes(p.a.values));
  return device_launch + std::max(streamed / device_dense_share, gathered / device_row_bytes);
}

/// The longest row in mean rows.
inline double skew(const problem& p) {
  return static_cast<double>(p.rows.longest_on_device) * static_cast<double>(p.a.shape.rows) /
         std::max(static_cast<double>(p.a.nnz), 1.0);
}
/// Whether rows are so alike that all of them get the same number of threads.
inline bool device_even(const problem& p) {
  return static_cast<double>(p.rows.longest_on_device) <= std::max(32.0, 4 * mean_row(p));
}
/// Time of small matrices of all row lengths over that of streaming their bytes.
inline constexpr double device_waits = 2.5;
/// Mean rows beyond this are taken by blocks rather than groups of up to 32 threads.
inline constexpr double device_longest_for_groups = 640;
/// From this skew on row lengths follow a power law, unlike meshes with a few long rows.
inline constexpr double device_skewed = 400;
/// Up to so many nonzeros, rows of all lengths do not hide one another's latency.
inline constexpr index_t device_few_entries = 4'500'000;

/// Seconds of y = A x on a device in the order of rows: bytes, or lines of x where they were
/// sampled. Rows of all lengths keep a device waiting, which small matrices do not hide.
inline double device_product(const problem& p, const machine& m) {
  const double lines = p.rows.x_lines * static_cast<double>(p.a.nnz) / device_gathers;
  const double streamed = device_seconds(dense_product_bytes(p), m) - device_launch;
  return device_launch + std::max(device_even(p) ? streamed : device_waits * streamed, lines);
}

/// Seconds to list the rows of CSR by length: two passes over the offsets, and an answer.
inline double device_listing(const problem& p, const machine& m) {
  const auto offsets = static_cast<double>(p.a.shape.rows * bytes(p.a.index.offsets));
  return 2 * device_seconds(offsets, m) + device_wait;
}

/// The launch and this part of the rest of a product's time.
inline double device_part(double product, double part) {
  return device_launch + part * (product - device_launch);
}

}  // namespace gossamer::costs
