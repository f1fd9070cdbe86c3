// C = alpha A B by rows, in one pass, each row by what suits it, and kept in blocks until the size
// of C is known (row_store.hpp): no symbolic phase. Most rows are summed densely under a bitmap and
// come out sorted (bitmap_row.hpp). Short rows, where columns are scattered or products very few,
// are sorted in vector registers (short_row.hpp). Rows of A with a single entry are scaled copies
// of a row of B. Rows of B are fetched ahead of their use, since for matrices without locality
// waiting for them is most of the work; where their columns stand together and are used often, they
// are turned into words of the bitmap once (row_words.hpp). Every row is summed in the order of its
// products: the bits do not depend on threads. docs/kernels/spgemm-adaptive.md has the
// measurements.
//
// A plan keeps the columns of C; filling it again only adds and reads back. Under a memory limit
// rows, counted before, are summed straight into C by as many members as there is room for.
#include <mutex>
#include <optional>

#include "base/text.hpp"
#include "kernels/shared/bitmap_row.hpp"
#include "kernels/shared/general_rows.hpp"
#include "kernels/shared/row_clusters.hpp"
#include "kernels/shared/row_phases.hpp"
#include "kernels/shared/row_store.hpp"
#include "kernels/shared/short_row.hpp"
#include "plan/costs.hpp"
#include "plan/tuning.hpp"

namespace gossamer {

extern const kernel spgemm_csr_adaptive_openmp;

namespace {

constexpr std::string_view parameters = "sorted";

/// What a plan keeps.
struct structure {
  std::shared_ptr<const row_index> a, b;
  row_clusters clusters;    // of B
  buffer<index_t> offsets;  // rows + 1
  index_buffer columns;     // of C
  /// Under a memory limit: everything that is kept, and the members that fit.
  std::shared_ptr<const counted_rows> counted;
  int team = 0;
  index_t bytes() const {
    return offsets.size() * index_t{sizeof(index_t)} +
           columns.size() * gossamer::bytes(columns.width()) + (a ? a->bytes() : 0) +
           (b ? b->bytes() : 0) + clusters.bytes();
  }
};

/// The rows of C, one at a time, into an accumulator.
template <class T, class RowsA, class RowsB>
struct row_product {
  using column_type = typename RowsB::column_type;
  using accumulator = bitmap_row<column_type, T>;
  const RowsA& a;
  const RowsB& b;
  const row_clusters& clusters;  // of B
  index_t a_entries, columns;    // of A, and of C
  run_adder<T> add_runs = fastest_run_adder<T>();

  void add(index_t row, accumulator& sums) const {
    if (clusters.words)
      visit_known(row, sums, [&](index_t from) { sums.mark(*clusters.words, from); });
    else
      visit(row, [&](index_t k, index_t from) { sums.add(b, from, a.value(k)); });
  }
  bool list(index_t row, short_row<T>& few, index_t most) const {
    return few.list(a, b, row, a_entries, most);
  }
  void add_known(index_t row, accumulator& sums) const {
    visit_known(row, sums, [](index_t) {});
  }
  void mark(index_t row, accumulator& seen) const {
    if (clusters.words)
      visit(row, [&](index_t, index_t from) { seen.mark(*clusters.words, from); });
    else
      visit(row, [&](index_t, index_t from) { seen.mark(b, from); });
  }
  index_t products(index_t row) const { return detail::products_of(a, b, row); }

 private:
  /// Sums without marks, then f(row of B).
  template <class F>
  void visit_known(index_t row, accumulator& sums, F&& f) const {
    if constexpr (requires { b.entries(); })
      if (clusters.runs)
        return visit(row, [&](index_t k, index_t from) {
          sums.add_known(b, *clusters.runs, add_runs, from, a.value(k));
          f(from);
        });
    visit(row, [&](index_t k, index_t from) {
      sums.add_known(b, from, a.value(k));
      f(from);
    });
  }
  /// f(entry of A, row of B) for a row of A.
  template <class F>
  void visit(index_t row, F&& f) const {
    const index_t end = a.end(row);
    for (index_t k = a.begin(row); k < end; ++k) {
      fetch_ahead(a, b, k, a_entries);
      f(k, a.column(k));
    }
  }
};

template <class T, class RowsA, class RowsB>
row_product<T, RowsA, RowsB> product_of(const problem& p, const RowsA& a, const RowsB& b,
                                        const row_clusters& clusters) {
  return {a, b, clusters, p.result.rows > 0 ? a.end(p.result.rows - 1) : 0, p.result.cols};
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

// ---- the whole product ----------------------------------------------------------------------

/// A row of A with one entry: a scaled copy, if the columns of B's row ascend.
template <class Product, class I, class T>
bool copy_row(const Product& of, index_t row, T alpha, I* columns, T* values) {
  const index_t k = of.a.begin(row), from = of.a.column(k), begin = of.b.begin(from);
  const T factor = of.a.value(k);
  index_t before = -1;
  bool ascending = true;
  for (index_t q = begin; q < of.b.end(from); ++q) {
    const index_t column = of.b.column(q);
    ascending &= column > before;
    before = column;
    columns[q - begin] = static_cast<I>(column);
    values[q - begin] = alpha * (T{0} + factor * of.b.value(q));
  }
  return ascending;
}

/// What a member of the team makes rows with.
template <class I, class T>
struct row_makers {
  short_row<T> few;
  index_t most_few = 0;  // rows with at most as many products are sorted
  index_t most_own = 0;  // and of A's rows only those are tried that seem to have no more
  row_makers(const problem& p, index_t longest_sorted, const context& where)
      : few(p.result.cols),
        most_few(std::min(longest_sorted, few.most())),
        most_own(p.b.nnz > 0 ? most_few * p.b.shape.rows / p.b.nnz : 0),
        columns_(p.result.cols),
        source_(where.memory()) {}
  /// Made when a row needs it: where all rows are short, it never is.
  bitmap_row<I, T>& sums() {
    if (!sums_) sums_.emplace(columns_, source_);
    return *sums_;
  }

 private:
  index_t columns_;
  std::shared_ptr<memory_resource> source_;
  std::optional<bitmap_row<I, T>> sums_;
};

/// Sorting beats a bitmap where nearly every column of a row has a word of its own, and for rows
/// of very few products.
index_t longest_sorted(const problem& p, row_spread spread) {
  const index_t usual = spread.words >= 0.8 ? 512 : 16;
  return tuning(p.options.tuning, spgemm_csr_adaptive_openmp.id, parameters)
      .number("sorted", usual, 0);
}

/// Returns the entries of the row.
template <class Product, class I, class T>
index_t write_row(const Product& of, index_t row, T alpha, row_makers<I, T>& with,
                  row_writer<I, T>& out) {
  const index_t own = of.a.end(row) - of.a.begin(row);
  if (own > 1 && own <= with.most_own && of.list(row, with.few, with.most_few)) {
    const index_t most = with.few.count();
    const auto [columns, values] = out.reserve(row, most);
    const index_t entries = with.few.take(columns, values, alpha);
    out.give_back(most - entries);
    return entries;
  }
  const index_t products = of.products(row), most = std::min(products, of.columns);
  const auto [columns, values] = out.reserve(row, most);
  if (own == 1 && products == most && copy_row(of, row, alpha, columns, values)) return most;
  of.add(row, with.sums());
  const index_t entries = with.sums().take(columns, values, alpha);
  out.give_back(most - entries);
  return entries;
}

/// Of the row that was written last; returns what is left of its entries.
template <class I, class T>
index_t filter_last(row_filter<T>& filter, index_t entries, row_writer<I, T>& out) {
  const auto [columns, values] = out.last(entries);
  const index_t kept = filter(columns, values, entries);
  out.give_back(entries - kept);
  return kept;
}

template <class T, class RowsA, class RowsB>
csr_result multiply_rows(const problem& p, const operands& o, const RowsA& a, const RowsB& b,
                         const context& where) {
  using I = typename RowsB::column_type;
  buffer<index_t> offsets(p.result.rows + 1, where.memory());
  offsets[p.result.rows] = 0;
  const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
  const row_spread spread = sample_spread(b, p.b.shape.rows);
  const index_t sorted = longest_sorted(p, spread);
  const auto clusters = find_clusters<T>(b, p, spread, where);
  const auto of = product_of<T>(p, a, b, clusters);
  const bool filtered = !p.kept().keeps_all();
  std::vector<row_writer<I, T>> writers;
  std::mutex guard;
  over_pieces(p.result.rows, std::max(dense_team(p), 1), [&](auto&& each) {
    row_makers<I, T> with(p, sorted, where);
    row_writer<I, T> out(where.memory());
    row_filter<T> filter(p.kept());
    each([&](index_t begin, index_t end) {
      out.begin_segment();
      for (index_t row = begin; row < end; ++row) {
        offsets[row] = write_row(of, row, alpha, with, out);
        if (filtered) offsets[row] = filter_last(filter, offsets[row], out);
      }
    });
    const std::lock_guard lock(guard);
    writers.push_back(std::move(out));
  });
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

/// One pass over the rows without values: f(row, seen) finds the columns of the row marked.
template <class Product, class T, class F>
void over_marked_rows(const problem& p, const Product& of, const context& where, F&& f) {
  over_pieces(p.result.rows, std::max(dense_team(p), 1), [&](auto&& each) {
    typename Product::accumulator seen(p.result.cols, where.memory());
    each([&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) {
        of.mark(row, seen);
        f(row, seen);
      }
    });
  });
}

/// Rows are summed straight into C.
state prepare_counted(const problem& p, const operands& o) {
  auto s = std::make_shared<structure>();
  s->a = o.counted->a;
  s->b = o.counted->b;
  s->counted = o.counted;
  s->team = team_within(p, accumulator_bytes(p)).members;
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
  detail::with_row_operands(o, s->a.get(), s->b.get(), [&]<class T>(const auto& a, const auto& b) {
    s->clusters = find_clusters<T>(b, p, sample_spread(b, p.b.shape.rows), where);
    const auto of = product_of<T>(p, a, b, s->clusters);
    using product = std::remove_cv_t<decltype(of)>;
    over_marked_rows<product, T>(p, of, where,
                                 [&](index_t row, auto& seen) { s->offsets[row] = seen.count(); });
    prefix_sums(where.threads(), s->offsets.span());
    s->columns = index_buffer(s->offsets[p.result.rows], narrowest(p.result.cols), where.memory());
    const auto out = s->columns.view();
    over_marked_rows<product, T>(p, of, where, [&](index_t row, auto& seen) {
      if (out.width() == index_width::i32)
        seen.take_columns(static_cast<std::int32_t*>(out.data()) + s->offsets[row]);
      else
        seen.take_columns(static_cast<std::int64_t*>(out.data()) + s->offsets[row]);
    });
  });
  return {.tables = s, .result_nnz = s->offsets[p.result.rows], .bytes = s->bytes()};
}

template <class J, class Product, class T>
void fill_rows(const structure& s, const Product& of, const csr_view<T>& c, T alpha,
               const context& where) {
  auto* columns = static_cast<J*>(c.columns.data());
  const bool known = !s.counted && s.columns.size() == c.nnz() && s.columns.width() == width_of<J>;
  const index_t* const offsets = (s.counted ? s.counted->offsets : s.offsets).data();
  const int team = s.counted ? s.team : team_for_products(c.nnz(), where.threads());
  const auto* list = known ? static_cast<const J*>(s.columns.view().data()) : nullptr;
  over_pieces(c.shape.rows, team, [&](auto&& each) {
    typename Product::accumulator sums(c.shape.cols, where.memory());
    each([&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) {
        const index_t at = offsets[row], entries = offsets[row + 1] - at;
        if (known) {
          of.add_known(row, sums);
          std::copy_n(list + at, entries, columns + at);
          sums.take_known(list + at, entries, c.values + at, alpha);
        } else {
          of.add(row, sums);
          sums.take(columns + at, c.values + at, alpha);
        }
      }
    });
  });
}

void run(const state& prepared, const operands& o, const context& where) {
  if (prepared.general) return run_general(prepared, o, where);
  const auto& s = prepared.as<structure>();
  detail::with_row_operands(o, s.a.get(), s.b.get(), [&]<class T>(const auto& a, const auto& b) {
    const auto& c = std::get<csr_view<T>>(*o.sparse);
    const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
    problem shape;
    shape.result = c.shape;
    const auto of = product_of<T>(shape, a, b, s.clusters);
    write_offsets(c, (s.counted ? s.counted->offsets : s.offsets).data(),
                  team_for_products(c.nnz(), where.threads()));
    if (c.columns.width() == index_width::i32)
      fill_rows<std::int32_t>(s, of, c, alpha, where);
    else
      fill_rows<std::int64_t>(s, of, c, alpha, where);
  });
}

verdict consider(const problem& p, const machine& m) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const double flop = static_cast<double>(p.flop), rows = static_cast<double>(p.result.rows);
  const index_t sums = accumulator_bytes(p);
  auto [team, held] = team_within(p, sums);
  if (!p.counted && dense_team(p) < team) {
    if (dense_team(p) == 0 && p.options.algorithm.empty())
      return {.because = formatted("a dense row takes {}, too much for {} products",
                                   bytes_text(sums), count_text(p.flop))};
    held -= (team - std::max(dense_team(p), 1)) * sums;
    team = std::max(dense_team(p), 1);
  }
  const double clear = costs::stream(static_cast<double>(sums), m, 1);
  const double work = (costs::bitmap_product * flop + costs::bitmap_row * rows) / team;
  return {.possible = true,
          .prepare_seconds = p.counted ? 0 : 0.5 * work,
          .run_seconds = work + clear,
          .bytes = held + gate_bytes(p, team),
          .because = formatted("{} products summed densely under a bitmap, sorted by itself, in "
                               "one pass{}",
                               count_text(p.flop), general_reason(p))};
}

}  // namespace

const kernel spgemm_csr_adaptive_openmp{
    .id = "spgemm/csr/adaptive/openmp",
    .summary = "rows by dense sums under a bitmap, one pass, sorted by itself",
    .reference = "docs/kernels/spgemm-adaptive.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .whole = whole,
    .general = general,
    .parameters = parameters};

}  // namespace gossamer
