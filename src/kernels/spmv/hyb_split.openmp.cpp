// HYB: the ELL part first, which also applies beta, then the COO part is added: y needs no separate
// scaling. A COO part that is not sorted by rows is left to any/scatter.
#include "kernels/common/vector_arguments.hpp"
#include "kernels/spmv/coo/coo_chunks.hpp"
#include "kernels/spmv/ell/ell_block.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

void run(const state&, const operands& o, const context& where) {
  with_vector_call<hyb_view>(
      o, [&]<class T, class I>(const hyb_ref<const T, I>& a, const vector_call<T>& v) {
        const index_t blocks = (a.rows + ell_block - 1) / ell_block;
        const double places = static_cast<double>(a.ell.width) * static_cast<double>(a.ell.stride);
        const int threads = costs::useful_threads(
            12 * places + 16.0 * static_cast<double>(a.coo.nnz), where.threads());
        parallel_ranges(threads, blocks, 1, [&](index_t begin, index_t end) {
          for (index_t row = begin * ell_block; row < std::min(a.rows, end * ell_block);
               row += ell_block)
            ell_block_rows<T, I>({a.ell.columns + row, a.ell.values + row,
                                  std::min(ell_block, a.rows - row), a.ell.width, a.ell.stride},
                                 v.x, [&](index_t r, T sum) { v.store(row + r, sum); });
        });
        coo_segments_add(a.coo, v.alpha, v.x, v.y, threads);
      });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::hyb || p.a.transposed) return {.because = "takes HYB, not transposed"};
  if (!p.dense.a_rows_sorted) return {.because = "takes HYB whose COO part is sorted by rows"};
  const double compute = costs::entry_compute * static_cast<double>(p.a.places);
  return {.possible = true,
          .run_seconds = costs::seconds(costs::dense_product_bytes(p), compute, m, p.threads),
          .because = "HYB as stored: ELL part by rows, then COO part by segmented sums"};
}

}  // namespace

extern const kernel spmv_hyb_split_openmp;
const kernel spmv_hyb_split_openmp{.id = "spmv/hyb/split/openmp",
                                   .summary = "ELL part by rows, then COO part by segmented sums",
                                   .reference = "Anzt et al. 2020 (HYB), on CPU threads",
                                   .deterministic = true,
                                   .consider = consider,
                                   .run = run};

}  // namespace gossamer
