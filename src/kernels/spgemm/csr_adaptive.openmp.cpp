// C = alpha A B by rows, in one pass, each row by what suits it (adaptive_rows.hpp), and kept in
// blocks until the size of C is known (row_store.hpp): no symbolic phase. Rows of B are fetched
// ahead of their use, since for matrices without locality waiting for them is most of the work. A
// row that one thread would be left alone with at the end is made by all (long_row.hpp). Every row
// is summed in the order of its products: the bits do not depend on threads.
//
// A plan keeps the columns of C where they stand together; filling it again only adds and reads
// back. Under a memory limit rows, counted before, are summed straight into C by as many members as
// there is room for. docs/kernels/spgemm-adaptive.md has the measurements.
#include <limits>
#include <mutex>

#include "base/text.hpp"
#include "kernels/shared/general_rows.hpp"
#include "kernels/shared/long_row.hpp"
#include "kernels/shared/repeated_rows.hpp"
#include "plan/costs.hpp"
#include "plan/tuning.hpp"

namespace gossamer {

extern const kernel spgemm_csr_adaptive_openmp;

namespace {

constexpr std::string_view parameters = "sorted,long";

/// What a plan keeps.
struct structure {
  std::shared_ptr<const row_index> a, b;
  row_clusters clusters;                         // of B
  index_t longest_sorted = 0;                    // in products
  buffer<index_t> offsets;                       // rows + 1
  index_buffer columns;                          // of C, or empty
  std::shared_ptr<const row_patterns> patterns;  // where rows repeat
  /// Under a memory limit: everything that is kept, and the members that fit.
  std::shared_ptr<const counted_rows> counted;
  int team = 0;
  index_t bytes() const {
    return offsets.size() * index_t{sizeof(index_t)} +
           columns.size() * gossamer::bytes(columns.width()) + (a ? a->bytes() : 0) +
           (b ? b->bytes() : 0) + clusters.bytes() + (patterns ? patterns->bytes() : 0);
  }
};

template <class T, class RowsA, class RowsB>
row_product<T, RowsA, RowsB> product_of(const RowsA& a, const RowsB& b,
                                        const row_clusters& clusters, extents result,
                                        index_t b_rows, index_t longest_sorted) {
  return {a, b, clusters, result, b_rows, longest_sorted};
}

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

// ---- filling what was counted ------------------------------------------------------------------

/// f(row, maker) for every row.
template <class Product, class F>
void over_rows(const Product& of, int team, const context& where, F&& f) {
  over_pieces(of.result.rows, team, [&](auto&& each) {
    row_maker maker(of, where.memory());
    each([&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) f(row, maker);
    });
  });
}

template <class J, class Product, class T>
void fill_rows(const structure& s, const Product& of, const csr_view<T>& c, T alpha,
               const context& where) {
  auto* columns = static_cast<J*>(c.columns.data());
  const bool known = !s.counted && s.columns.size() == c.nnz() && s.columns.width() == width_of<J>;
  const index_t* const offsets = (s.counted ? s.counted->offsets : s.offsets).data();
  const int team = s.counted ? s.team : team_for_products(c.nnz(), where.threads());
  const auto* list = known ? static_cast<const J*>(s.columns.view().data()) : nullptr;
  over_rows(of, team, where, [&](index_t row, auto& maker) {
    const index_t at = offsets[row], entries = offsets[row + 1] - at;
    if (!known) return maker.fill(row, entries, alpha, columns + at, c.values + at);
    std::copy_n(list + at, entries, columns + at);
    maker.fill_known(row, entries, alpha, list + at, c.values + at);
  });
}

/// The same where rows repeat.
template <class J, class Product, class T>
void fill_repeated(const structure& s, const Product& of, const csr_view<T>& c, T alpha,
                   const context& where) {
  auto* columns = static_cast<J*>(c.columns.data());
  over_pieces(c.shape.rows, team_for_products(c.nnz(), where.threads()), [&](auto&& each) {
    row_maker maker(of, where.memory());
    pattern_maker<T, J> repeated;
    each([&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) {
        const index_t at = s.offsets[row], pattern = s.patterns->of_row[row];
        if (pattern == row_patterns::none)
          maker.fill(row, s.offsets[row + 1] - at, alpha, columns + at, c.values + at);
        else if constexpr (side_by_side<std::remove_cvref_t<decltype(of.b)>>)
          repeated.fill(s.patterns->table[static_cast<int>(pattern)], of.a, of.b, row, alpha,
                        columns + at, c.values + at);
      }
    });
  });
}

/// C has room for just its entries.
template <class T, class RowsA, class RowsB>
void fill(const structure& s, const RowsA& a, const RowsB& b, index_t b_rows, const csr_view<T>& c,
          T alpha, const context& where) {
  const auto of = product_of<T>(a, b, s.clusters, c.shape, b_rows, s.longest_sorted);
  write_offsets(c, (s.counted ? s.counted->offsets : s.offsets).data(),
                team_for_products(c.nnz(), where.threads()));
  const auto by_width = [&]<class J>(J) {
    s.patterns ? fill_repeated<J>(s, of, c, alpha, where) : fill_rows<J>(s, of, c, alpha, where);
  };
  c.columns.width() == index_width::i32 ? by_width(std::int32_t{}) : by_width(std::int64_t{});
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
  structure s;
  s.longest_sorted = longest_sorted(p, sample_spread(b, p.b.shape.rows));
  s.offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  s.offsets[p.result.rows] = 0;
  const int team = std::max(dense_team(p), 1);
  s.patterns =
      count_repeated(product_of<T>(a, b, s.clusters, p.result, p.b.shape.rows, s.longest_sorted), p,
                     longest_alone(p, team), s.offsets.data(), team, where);
  if (!s.patterns) return {};
  prefix_sums(where.threads(), s.offsets.span());
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
        if constexpr (requires { b.offsets; }) {
          using I = typename std::remove_cvref_t<decltype(b)>::column_type;
          if (has_single_rows(p, b.offsets)) {
            c = multiply_rows<T>(p, o, a, single_rows<T, I>{b.columns, b.values}, where);
            return;
          }
        }
        c = multiply_rows<T>(p, o, a, b, where);
      });
  return std::move(*c);
}

// ---- plans ----------------------------------------------------------------------------------

/// Rows are summed straight into C.
state prepare_counted(const problem& p, const operands& o) {
  auto s = std::make_shared<structure>();
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
  auto s = std::make_shared<structure>();
  s->a = index_rows(o.a, where);
  s->b = index_rows(o.b, where);
  s->offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  s->offsets[p.result.rows] = 0;
  const int team = std::max(dense_team(p), 1);
  detail::with_row_operands(o, s->a.get(), s->b.get(), [&]<class T>(const auto& a, const auto& b) {
    const row_spread spread = sample_spread(b, p.b.shape.rows);
    s->longest_sorted = longest_sorted(p, spread);
    const auto of = product_of<T>(a, b, s->clusters, p.result, p.b.shape.rows, s->longest_sorted);
    s->patterns =
        count_repeated(of, p, std::numeric_limits<index_t>::max(), s->offsets.data(), team, where);
    if (s->patterns) return prefix_sums(where.threads(), s->offsets.span());
    s->clusters = find_clusters<T>(b, p, spread, where);
    over_rows(of, team, where,
              [&](index_t row, auto& maker) { s->offsets[row] = maker.count(row); });
    prefix_sums(where.threads(), s->offsets.span());
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
  const auto& s = prepared.as<structure>();
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
        return formatted("a dense row takes {}, too much for {} products", bytes_text(sums),
                         count_text(p.flop));
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
                "{} products by rows in one pass, summed under a bitmap or sorted "
                "in registers{}",
                count_text(p.flop), general_reason(p));
          })};
}

}  // namespace

const kernel spgemm_csr_adaptive_openmp{
    .id = "spgemm/csr/adaptive/openmp",
    .summary = "each row by what suits it: a bitmap, sorting in registers, a copy; one pass",
    .reference = "docs/kernels/spgemm-adaptive.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .whole = whole,
    .general = general,
    .parameters = parameters};

}  // namespace gossamer
