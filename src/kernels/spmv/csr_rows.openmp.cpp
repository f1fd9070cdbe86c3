// CSR by rows: each thread gets consecutive rows holding an equal share of rows + entries (a point
// on the merge path, rounded to a row), in pieces, so that who is done early can help. A row is one
// thread's, so nothing is combined afterwards; a single row longer than a thread's share cannot be
// split: that is what csr_merge is for.
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernels/shared/merge_path.hpp"
#include "kernels/shared/row_sums.hpp"
#include "kernels/shared/vector_call.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

// Enough pieces to even out cores and parts of A that are slower than others, each so long that
// searching its rows costs nothing.
constexpr index_t pieces_per_thread = 16, piece_length = 16384;

void run(const state&, const operands& o, const context& where) {
  with_vector_call<csr_view>(o, [&]<class T, class I, class O>(const csr_ref<const T, I, O>& a,
                                                               const vector_call<T>& v) {
    const index_t path = a.rows + a.nnz();
    const auto sum_rows = fastest_row_summer<T, I, O>(style_of(a));
    const int threads = costs::useful_threads(12.0 * static_cast<double>(path), where.threads());
    const index_t each = std::clamp<index_t>(path / (piece_length * threads) + 1, 1,
                                             threads > 1 ? pieces_per_thread : 1);
    const index_t pieces = each * threads;  // as many for everyone
    parallel_shares(threads, pieces, [&](index_t piece) {
      const auto [begin, end] = part_of(path, piece, pieces);
      sum_rows(
          a, v,
          {merge_search(begin, a.offsets, a.rows).row, merge_search(end, a.offsets, a.rows).row});
    });
  });
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  const double bytes = costs::dense_product_bytes(p);
  const double compute = costs::entry_compute * static_cast<double>(p.a.nnz) +
                         costs::row_overhead * static_cast<double>(p.a.shape.rows) +
                         costs::x_seconds(p, m);
  const int team = costs::useful_threads(bytes, p.threads);
  // The thread with the longest row works alone on it while the others wait.
  const double share = static_cast<double>(p.a.nnz) / team;
  const double slowest = std::max(1.0, static_cast<double>(p.long_row) / std::max(share, 1.0));
  return {.possible = true,
          .run_seconds = costs::seconds(bytes, compute, m, p.threads) * slowest,
          .because =
              slowest > 1
                  ? formatted("one row holds {:.1f} times a thread's share of the entries", slowest)
                  : "rows are even enough to be shared whole, nothing to combine"};
}

}  // namespace

extern const kernel spmv_csr_rows_openmp;
const kernel spmv_csr_rows_openmp{.id = "spmv/csr/rows/openmp",
                                  .summary = "consecutive rows with equal shares of rows + entries",
                                  .reference = "Anzt et al. 2020 (classical CSR), on CPU threads",
                                  .deterministic = true,
                                  .consider = consider,
                                  .run = run};

}  // namespace gossamer
