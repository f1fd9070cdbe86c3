// C = alpha A B by rows, in one pass, each row by what suits it (adaptive_rows.hpp), and kept in
// blocks until the size of C is known (row_store.hpp): no symbolic phase. Rows of B are fetched
// ahead of their use, since for matrices without locality waiting for them is most of the work. A
// row that one thread would be left alone with at the end is made by all (long_row.hpp). Every row
// is summed in the order of its products: the bits do not depend on threads. Where rows repeat they
// are counted first, by comparing them, and summed straight into C (repeated_rows.hpp).
//
// A plan keeps patterns where rows repeat, or the columns of C where they stand together; filling
// it again only adds and reads back. Under a memory limit rows, counted before, are summed straight
// into C by as many members as there is room for. docs/kernels/spgemm-adaptive.md has the
// measurements.
#include <limits>
#include <mutex>

#include "base/text.hpp"
#include "kernels/spgemm/adaptive/adaptive_plan.hpp"
#include "kernels/spgemm/adaptive/shared_row.hpp"
#include "kernels/spgemm/masked/masked_rows.hpp"
#include "plan/costs.hpp"
#include "plan/tuning.hpp"

namespace gossamer {

extern const kernel spgemm_csr_adaptive_openmp;

namespace {

constexpr std::string_view parameters = "sorted,long";

index_t accumulator_bytes(const problem& p) {
  return p.a.values == value_type::f32 ? bitmap_row<index_t, float>::bytes_for(p.result.cols)
                                       : bitmap_row<index_t, double>::bytes_for(p.result.cols);
}

/// Members, so few that their dense rows stay below 40 MB or C; as a rule C has 12 bytes for every
/// four products. 0 where the result is so wide that not even one does.
int dense_team(const problem& p) {
  const index_t most = (index_t{40} << 20) + p.flop / 4 * 12;
  const index_t fit = most / std::max<index_t>(accumulator_bytes(p), 1);
  return static_cast<int>(std::min<index_t>(team_for_products(p.flop, p.threads), fit));
}

/// Columns that stand alone: nearly every one has a word of a bitmap to itself.
bool scattered(row_spread spread) { return spread.words >= 0.8; }

/// Sorting beats a bitmap where columns are scattered, and for rows of very few products.
index_t longest_sorted(const problem& p, row_spread spread) {
  return tuning(p.options.tuning, spgemm_csr_adaptive_openmp.id, parameters)
      .number("sorted", scattered(spread) ? 512 : 16, 0);
}

/// Products of a row from which on a team makes it together: when it would be half of what a member
/// has to do. Filters want whole rows.
index_t longest_alone(const problem& p, int team) {
  if (team == 1 || !p.kept().keeps_all()) return std::numeric_limits<index_t>::max();
  return tuning(p.options.tuning, spgemm_csr_adaptive_openmp.id, parameters)
      .number("long", std::max<index_t>(p.flop / (2 * team), index_t{1} << 20), 1);
}

// ---- the whole product ----------------------------------------------------------------------

/// Of the row that was written last; returns what is left of its entries.
template <class I, class T>
index_t filter_last(row_filter<T>& filter, index_t entries, row_writer<I, T>& out) {
  const auto [columns, values] = out.last(entries);
  const index_t kept = filter(columns, values, entries);
  out.give_back(entries - kept);
  return kept;
}

/// Where rows repeat they are counted first, which is cheap there, and summed straight into C.
template <class T, class RowsA, class RowsB>
std::optional<csr_result> multiply_repeated(const problem& p, const operands& o, const RowsA& a,
                                            const RowsB& b, const context& where) {
  if (!p.kept().keeps_all()) return {};
  adaptive_structure s;
  s.longest_sorted = longest_sorted(p, sample_spread(b, p.b.shape.rows));
  s.offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  s.offsets[p.result.rows] = 0;
  const int team = std::max(dense_team(p), 1);
  const auto of = product_of<T>(a, b, s.clusters, p.result, p.b.shape.rows, s.longest_sorted);
  s.patterns = patterns_of(of, p, s.offsets.data(), team, where);
  if (!s.patterns || !count_rows(of, s, longest_alone(p, team), team, where)) return {};
  const index_t nnz = s.offsets[p.result.rows];
  csr_matrix<T> c(p.result, nnz, narrowest(p.result, nnz), where.memory());
  fill<T>(s, a, b, p.b.shape.rows, c.mutable_view(), alpha_of<T>(o.a) * alpha_of<T>(o.b), where);
  return c;
}

template <class T, class RowsA, class RowsB>
csr_result multiply_rows(const problem& p, const operands& o, const RowsA& a, const RowsB& b,
                         const context& where) {
  using I = typename RowsB::column_type;
  if (auto c = multiply_repeated<T>(p, o, a, b, where)) return std::move(*c);
  buffer<index_t> offsets(p.result.rows + 1, where.memory());
  offsets[p.result.rows] = 0;
  const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
  const row_spread spread = sample_spread(b, p.b.shape.rows);
  const auto clusters = find_clusters<T>(b, p, spread, where);
  const auto of =
      product_of<T>(a, b, clusters, p.result, p.b.shape.rows, longest_sorted(p, spread));
  const int team = std::max(dense_team(p), 1);
  const index_t longest = longest_alone(p, team);
  const bool filtered = !p.kept().keeps_all();
  std::vector<row_writer<I, T>> writers;
  std::vector<index_t> long_rows;
  std::mutex guard;
  over_pieces(p.result.rows, team, [&](auto&& each) {
    row_maker maker(of, where.memory());
    row_writer<I, T> out(where.memory());
    row_filter<T> filter(p.kept());
    each([&](index_t begin, index_t end) {
      out.begin_segment();
      for (index_t row = begin; row < end; ++row) {
        offsets[row] = maker.write(row, longest, alpha, out);
        if (filtered) offsets[row] = filter_last(filter, offsets[row], out);
        if (offsets[row] >= 0) continue;
        out.begin_segment();
        const std::lock_guard lock(guard);
        long_rows.push_back(row);
      }
    });
    const std::lock_guard lock(guard);
    writers.push_back(std::move(out));
  });
  if (!long_rows.empty()) {
    long_row together(of, team, where.memory());
    for (const index_t row : long_rows) offsets[row] = together.write(row, alpha, writers);
  }
  prefix_sums(where.threads(), offsets.span());
  return collect_rows(p.result, offsets, writers, where);
}

/// Whether every row of B has exactly one entry.
bool has_single_rows(const problem& p, const index_view& offsets) {
  if (p.b.nnz != p.b.shape.rows || p.flop != p.a.nnz) return false;
  for (index_t row = 0; row < p.b.shape.rows; ++row)
    if (offsets[row] != row) return false;
  return true;
}

csr_result whole(const problem& p, const operands& o, const context& where) {
  const auto a_index = index_rows(o.a, where), b_index = index_rows(o.b, where);
  std::optional<csr_result> c;
  detail::with_row_operands(
      o, a_index.get(), b_index.get(), [&]<class T>(const auto& a, const auto& b) {
        // For the common types only: each pair is compiled on its own.
        if constexpr (std::is_same_v<decltype(a), decltype(b)>)
          if (has_single_rows(p, b.offsets)) {
            c = multiply_rows<T>(p, o, a, single_rows<T, std::int32_t>{b.columns, b.values}, where);
            return;
          }
        c = multiply_rows<T>(p, o, a, b, where);
      });
  return std::move(*c);
}

// ---- plans ----------------------------------------------------------------------------------

/// Rows are summed straight into C.
state prepare_counted(const problem& p, const operands& o) {
  auto s = std::make_shared<adaptive_structure>();
  s->a = o.counted->a;
  s->b = o.counted->b;
  s->counted = o.counted;
  s->team = team_within(p, accumulator_bytes(p)).members;
  detail::with_row_operands(o, s->a.get(), s->b.get(), [&]<class T>(const auto&, const auto& b) {
    s->longest_sorted = longest_sorted(p, sample_spread(b, p.b.shape.rows));
  });
  return {
      .tables = s, .result_nnz = o.counted->offsets[p.result.rows], .bytes = o.counted->bytes()};
}

csr_result general(const problem& p, const operands& o, const context& where) {
  return p.ordinary() ? whole(p, o, where) : whole_general(row_accumulator::bitmap, p, o, where);
}

state prepare(const problem& p, const operands& o, const context& where) {
  if (o.counted) return prepare_counted(p, o);
  if (!p.plain()) return prepare_general(row_accumulator::bitmap, p, o, where);
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
    if (scattered(spread)) return;  // they come with sorting
    s->columns = index_buffer(s->offsets[p.result.rows], narrowest(p.result.cols), where.memory());
    const auto out = s->columns.view();
    over_rows(of, team, where, [&](index_t row, auto& maker) {
      if (out.width() == index_width::i32)
        maker.write_columns(row, static_cast<std::int32_t*>(out.data()) + s->offsets[row]);
      else
        maker.write_columns(row, static_cast<std::int64_t*>(out.data()) + s->offsets[row]);
    });
  });
  return {.tables = s, .result_nnz = s->offsets[p.result.rows], .bytes = s->bytes()};
}

void run(const state& prepared, const operands& o, const context& where) {
  if (prepared.general) return run_general(prepared, o, where);
  const auto& s = prepared.as<adaptive_structure>();
  detail::with_row_operands(o, s.a.get(), s.b.get(), [&]<class T>(const auto& a, const auto& b) {
    const auto& c = std::get<csr_view<T>>(*o.sparse);
    const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
    fill<T>(s, a, b, facts(o.b).shape.rows, c, alpha, where);
  });
}

verdict consider(const problem& p, const machine& m) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const double flop = static_cast<double>(p.flop), rows = static_cast<double>(p.result.rows);
  const index_t sums = accumulator_bytes(p);
  auto [team, held] = team_within(p, sums);
  if (!p.counted && dense_team(p) < team) {
    if (dense_team(p) == 0 && p.options.algorithm.empty())
      return {.because = p.reason([&] {
        return formatted("a dense accumulator takes {}, too much for {} multiplications",
                         bytes_text(sums), count_text(p.flop));
      })};
    held -= (team - std::max(dense_team(p), 1)) * sums;
    team = std::max(dense_team(p), 1);
  }
  const double clear = costs::stream(static_cast<double>(sums), m, 1);
  const double work = (costs::adaptive_product * flop + costs::adaptive_row * rows) / team;
  return {.possible = true,
          .prepare_seconds = p.counted ? 0 : 0.5 * work,  // filling again is the other half
          .run_seconds = (p.counted ? 1 : 0.5) * work + clear,
          .bytes = held + gate_bytes(p, team),
          .because = p.reason([&] {
            return formatted(
                "{} multiplications in one pass, rows accumulated under a bitmap or "
                "sorted in registers{}",
                count_text(p.flop), general_reason(p));
          })};
}

}  // namespace

const kernel spgemm_csr_adaptive_openmp{
    .id = "spgemm/csr/adaptive/openmp",
    .summary =
        "one pass; per row a dense accumulator with bitmap, an in-register sort, or a scaled copy",
    .reference = "docs/kernels/spgemm-adaptive.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .whole = whole,
    .general = general,
    .parameters = parameters};

}  // namespace gossamer
