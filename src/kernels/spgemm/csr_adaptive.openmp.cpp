// C = alpha A B by rows in one pass, with a per-row choice of accumulator (adaptive_rows.hpp); rows
// are kept in blocks until the size of C is known (row_store.hpp), so there is no symbolic phase.
// Rows of B are prefetched, since without locality cache misses are most of the work. A row that
// would keep one thread busy after the others is computed by all (shared_row.hpp). Every row is
// summed in the order of its multiplications: results are bitwise reproducible for any number of
// threads. Repeated rows are counted first, by comparing them, and summed straight into C
// (repeated_rows.hpp).
//
// A plan keeps patterns where rows repeat, or the columns of C where they are contiguous; filling
// it again only adds and reads back. Under a memory limit rows, counted before, are summed straight
// into C by as many threads as fit. docs/kernels/spgemm-adaptive.md has the measurements.
#include <limits>

#include "analysis/saturate.hpp"
#include "base/text.hpp"
#include "kernels/spgemm/adaptive/adaptive_choices.hpp"
#include "kernels/spgemm/adaptive/adaptive_plan.hpp"
#include "kernels/spgemm/adaptive/multiply_once.hpp"
#include "kernels/spgemm/masked/masked_rows.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

using namespace adaptive;

/// Rows are summed straight into C.
state prepare_counted(const problem& p, const operands& o) {
  auto s = std::make_shared<adaptive_structure>();
  s->a = o.counted->a;
  s->b = o.counted->b;
  s->counted = o.counted;
  s->team = team_within(p, accumulator_bytes(p)).threads;
  detail::with_row_operands(o, s->a.get(), s->b.get(), [&]<class T>(const auto&, const auto& b) {
    s->longest_sorted = longest_sorted(p, sample_spread(b, p.b.shape.rows));
  });
  return {.tables = s,
          .bytes = o.counted->bytes(),
          .spgemm = {.result_nnz = o.counted->offsets[p.result.rows]}};
}

csr_result multiply_once_masked(const problem& p, const operands& o, const context& where) {
  return p.ordinary() ? multiply_once(p, o, where)
                      : gossamer::multiply_once_masked(row_accumulator::bitmap, p, o, where);
}

state prepare(const problem& p, const operands& o, const context& where) {
  if (o.counted) return prepare_counted(p, o);
  if (!p.plain()) return prepare_masked(row_accumulator::bitmap, p, o, where);
  auto s = std::make_shared<adaptive_structure>();
  s->a = index_rows(o.a, where);
  s->b = index_rows(o.b, where);
  s->offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  s->offsets[p.result.rows] = 0;
  const int team = std::max(dense_team(p), 1);
  detail::with_row_operands(o, s->a.get(), s->b.get(), [&]<class T>(const auto& a, const auto& b) {
    const row_spread spread = sample_spread(b, p.b.shape.rows);
    s->longest_sorted = longest_sorted(p, spread);
    const auto of = product_of<T>(a, b, s->clusters, p.result, p.b.shape.rows, s->longest_sorted);
    s->patterns = patterns_of(of, p, s->offsets.data(), team, where);
    if (!s->patterns) s->clusters = find_clusters<T>(b, p, spread, where);
    count_rows(of, *s, std::numeric_limits<index_t>::max(), team, where);
    if (s->patterns) return;
    if (scattered(spread)) return;  // sorting yields the columns again
    s->columns = index_buffer(s->offsets[p.result.rows], narrowest(p.result.cols), where.memory());
    const auto out = s->columns.view();
    over_rows(of, team, where, [&](index_t row, auto& maker) {
      if (out.width() == index_width::i32)
        maker.write_columns(row, static_cast<std::int32_t*>(out.data()) + s->offsets[row]);
      else
        maker.write_columns(row, static_cast<std::int64_t*>(out.data()) + s->offsets[row]);
    });
  });
  return {.tables = s, .bytes = s->bytes(), .spgemm = {.result_nnz = s->offsets[p.result.rows]}};
}

void run(const state& prepared, const operands& o, const context& where) {
  if (prepared.spgemm.masked) return run_masked(prepared, o, where);
  const auto& s = prepared.as<adaptive_structure>();
  detail::with_row_operands(o, s.a.get(), s.b.get(), [&]<class T>(const auto& a, const auto& b) {
    const auto& c = std::get<csr_view<T>>(*o.sparse);
    const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
    fill<T>(s, a, b, facts(o.b).shape.rows, c, alpha, where);
  });
}

verdict consider(const problem& p, const machine& m) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const double flop = static_cast<double>(p.spgemm.flop), rows = static_cast<double>(p.result.rows);
  const index_t sums = accumulator_bytes(p);
  auto [team, held] = team_within(p, sums);
  if (!p.spgemm.counted && dense_team(p) < team) {
    if (dense_team(p) == 0 && p.options.algorithm.empty())
      return {.because = p.reason([&] {
        return formatted("a dense accumulator takes {}, too much for {} multiplications",
                         bytes_text(sums), count_text(p.spgemm.flop));
      })};
    team = std::max(dense_team(p), 1);
    held = bytes_of_team(p, team, sums);
  }
  const double clear = costs::stream(static_cast<double>(sums), m, 1);
  const double work = (costs::adaptive_product * flop + costs::adaptive_row * rows) / team;
  return {.possible = true,
          .prepare_seconds = p.spgemm.counted ? 0 : costs::phase_share * work,
          .run_seconds = (p.spgemm.counted ? 1 : costs::phase_share) * work + clear,
          .bytes = (analysis::amount{held} + analysis::amount{gate_bytes(p, team)}).value,
          .because = p.reason([&] {
            return formatted(
                "{} multiplications in one pass, rows accumulated under a bitmap or "
                "sorted in registers{}",
                count_text(p.spgemm.flop), masked_reason(p));
          })};
}

}  // namespace

extern const kernel spgemm_csr_adaptive_openmp;
const kernel spgemm_csr_adaptive_openmp{
    .id = id,
    .summary =
        "one pass; per row a dense accumulator with bitmap, an in-register sort, or a scaled copy",
    .reference = "docs/kernels/spgemm-adaptive.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .parameters = parameters,
    .spgemm = {.multiply_once = multiply_once, .multiply_once_masked = multiply_once_masked}};

}  // namespace gossamer
