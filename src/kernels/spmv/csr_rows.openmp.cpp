// CSR by rows: each thread gets consecutive rows with an equal share of rows + nonzeros (a point on
// the merge path, rounded to a row), in pieces, so that threads that finish early can steal. A row
// is summed by one thread, so nothing is combined afterwards; a single row longer than a thread's
// share is not split: csr_merge does that.
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernels/common/merge_path.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "kernels/spmv/rows/row_sums.hpp"
#include "plan/spmv_costs.hpp"

namespace gossamer {

namespace {

// Enough pieces to balance slow cores and slow parts of A, each long enough that starting it costs
// nothing: 4 pieces gave half of the gain, 64 no more and cost 5 % on 2D5
// (docs/kernels/spmv-cpu.md).
constexpr index_t pieces_per_thread = 16, piece_length = 16384;

/// Tables of a plan. Any split at rows is correct, and any style: changes of A between two calls
/// cannot make results wrong.
struct row_shares {
  row_style style = row_style::vector;
  int threads = 1;
  std::vector<index_t> cuts = {};  // rows where pieces begin, and the end; empty: one piece
};

template <class T, class I, class O>
row_shares shares_of(const csr_ref<const T, I, O>& a, const analysis::length_sample& lengths,
                     int most_threads) {
  const index_t path = a.rows + a.nnz();
  const int threads = costs::useful_threads(12.0 * static_cast<double>(path), most_threads);
  row_shares shares{.style = style_of(a, lengths), .threads = threads};
  if (threads == 1) return shares;
  const index_t each =
      std::clamp<index_t>(path / (piece_length * threads) + 1, 1, pieces_per_thread);
  const index_t pieces = each * threads;  // equally many per thread
  for (index_t piece = 0; piece < pieces; ++piece)
    shares.cuts.push_back(merge_search(part_of(path, piece, pieces).begin, a.offsets, a.rows).row);
  shares.cuts.push_back(a.rows);
  return shares;
}

state prepare(const problem& p, const operands& o, const context& where) {
  auto shares = std::make_shared<row_shares>();
  with_any_vector_call<csr_view>(o, [&](const auto& a, const auto&) {
    *shares = shares_of(a, p.rows.lengths, where.threads());
  });
  const index_t held = std::ssize(shares->cuts) * index_t{sizeof(index_t)};
  return {.tables = std::move(shares), .bytes = held};
}

template <class T>
void run_rows(const state& prepared, const csr_view<const T>& matrix, const vector_call<T>& v) {
  const auto& shares = prepared.as<row_shares>();
  typed(matrix, [&]<class I, class O>(const csr_ref<const T, I, O>& a) {
    const auto sum_rows = fastest_row_summer<T, I, O>(shares.style);
    if (shares.threads == 1) return sum_rows(a, v, {0, a.rows});
    const auto& cuts = shares.cuts;
    parallel_shares(shares.threads, std::ssize(cuts) - 1, [&](index_t piece) {
      const auto k = static_cast<std::size_t>(piece);
      sum_rows(a, v, {cuts[k], cuts[k + 1]});
    });
  });
}

void run(const state& prepared, const operands& o, const context&) {
  std::visit(
      [&]<class T>(const expression<T>& e) {
        run_rows(prepared, std::get<csr_view<const T>>(e.view), vector_arguments<T>(o));
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  const double bytes = costs::dense_product_bytes(p);
  const double compute = costs::rows_compute(p, m);
  const int team = costs::useful_threads(bytes, p.threads);
  // The thread with the longest row works alone on it while the others idle.
  const double share = static_cast<double>(p.a.nnz) / team;
  const double slowest =
      std::max(1.0, static_cast<double>(p.rows.probed_length) / std::max(share, 1.0));
  return {.possible = true,
          .run_seconds = costs::spmv_seconds(bytes, compute, m, p.threads) * slowest,
          .because = slowest > 1
                         ? formatted("one row holds {:.1f} times a thread's share of the nonzeros",
                                     slowest)
                         : "no row exceeds one thread's share of the nonzeros, so each row is "
                           "summed by one thread"};
}

}  // namespace

extern const kernel spmv_csr_rows_openmp;
const kernel spmv_csr_rows_openmp{
    .id = "spmv/csr/rows/openmp",
    .summary = "consecutive rows per thread, equal shares of rows + nonzeros",
    .reference = "Anzt et al. 2020 (classical CSR), on CPU threads",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .spmv = {.run_csr_f32 = run_rows<float>,
             .run_csr_f64 = run_rows<double>,
             .run_csr_c64 = run_rows<std::complex<float>>,
             .run_csr_c128 = run_rows<std::complex<double>>},
    .values = taken_values::all,
    .tables_fit_all = true};

}  // namespace gossamer
