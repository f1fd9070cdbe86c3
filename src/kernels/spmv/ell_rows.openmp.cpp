// ELL by blocks of rows; padding is skipped by its column index and never multiplied.
#include "base/parallel.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "kernels/spmv/ell/ell_block.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

void run(const state&, const operands& o, const context& where) {
  with_vector_call<ell_view>(o, [&]<class T, class I>(const ell_ref<const T, I>& a,
                                                      const vector_call<T>& v) {
    const index_t blocks = (a.rows + ell_block - 1) / ell_block;
    const double bytes = 12.0 * static_cast<double>(a.width) * static_cast<double>(a.stride);
    parallel_ranges(costs::useful_threads(bytes, where.threads()), blocks, 1,
                    [&](index_t begin, index_t end) {
                      for (index_t row = begin * ell_block; row < std::min(a.rows, end * ell_block);
                           row += ell_block)
                        ell_block_rows<T, I>({a.columns + row, a.values + row,
                                              std::min(ell_block, a.rows - row), a.width, a.stride},
                                             v.x, [&](index_t r, T sum) { v.store(row + r, sum); });
                    });
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::ell || p.a.transposed) return {.because = "takes ELL, not transposed"};
  const double compute = costs::entry_compute * static_cast<double>(p.a.places);
  return {.possible = true,
          .run_seconds = costs::seconds(costs::dense_product_bytes(p), compute, m, p.threads),
          .because = "ELL as stored, padding skipped"};
}

}  // namespace

extern const kernel spmv_ell_rows_openmp;
const kernel spmv_ell_rows_openmp{.id = "spmv/ell/rows/openmp",
                                  .summary = "blocks of 64 rows, column by column",
                                  .reference = "Anzt et al. 2020 (ELL), on CPU threads",
                                  .deterministic = true,
                                  .consider = consider,
                                  .run = run};

}  // namespace gossamer
