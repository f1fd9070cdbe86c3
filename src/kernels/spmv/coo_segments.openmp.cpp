// COO, load balanced: equal chunks of nonzeros, segmented sums by row, carries for shared rows. The
// CPU form of the paper's COO kernel; carries replace its atomic additions.
#include "kernels/common/vector_arguments.hpp"
#include "kernels/spmv/coo/coo_chunks.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

void run(const state&, const operands& o, const context& where) {
  with_vector_call<coo_view>(o, [&](const auto& a, const auto& v) {
    const int threads = costs::useful_threads(16.0 * static_cast<double>(a.nnz), where.threads());
    parallel_ranges(threads, a.rows, 4096, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) v.store(i, 0);
    });
    coo_segments_add(a, v.alpha, v.x, v.y, threads);
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::coo) return {.because = "takes COO"};
  if (!p.dense.a_rows_sorted) return {.because = "takes COO sorted by rows, and A is not"};
  const double extra =
      costs::dense_bytes(p.result, p.a.values);  // y is scaled first, then added to
  const double compute = costs::coo_entry * costs::entry_compute * static_cast<double>(p.a.nnz);
  return {
      .possible = true,
      .run_seconds = costs::seconds(costs::dense_product_bytes(p) + extra, compute, m, p.threads),
      .bytes = p.a.nnz / coo_chunk * 32,
      .because =
          "sorted by rows: equal chunks of nonzeros, only rows that span chunks are combined"};
}

}  // namespace

extern const kernel spmv_coo_segments_openmp;
const kernel spmv_coo_segments_openmp{
    .id = "spmv/coo/segments/openmp",
    .summary = "equal chunks of row-sorted nonzeros, segmented sums, carries added in order",
    .reference = "Anzt et al. 2020 (load-balanced COO), on CPU threads",
    .deterministic = true,
    .consider = consider,
    .run = run};

}  // namespace gossamer
