// C = alpha A B by rows with one hash table per thread (Nagasaka et al. 2018), sorted output. The
// symbolic phase counts the columns of every row of C; the numeric phase sums, writes the columns,
// sorts them and reads the sums back in order. Rows are handed out in pieces of equal products.
// Every row is summed in the order of its products, so the bits do not depend on threads.
#include <algorithm>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernels/shared/hash_table.hpp"
#include "kernels/shared/row_access.hpp"
#include "kernels/shared/sparse_result.hpp"
#include "plan/costs.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

namespace {

struct symbolic {
  std::shared_ptr<const row_index> a, b;
  buffer<index_t> products;  // rows + 1: products before each row
  buffer<index_t> offsets;   // rows + 1: entries of C before each row
  index_t bytes() const {
    return (products.size() + offsets.size()) * index_t{sizeof(index_t)} + (a ? a->bytes() : 0) +
           (b ? b->bytes() : 0);
  }
};

constexpr index_t products_per_thread =
    20'000;  // below this a second thread costs more than it gives

template <class F>
void with_operands(const operands& o, const symbolic& s, F&& f) {
  std::visit(
      [&]<class T>(const expression<T>&) {
        with_rows<T>(o.a, s.a.get(), [&](const auto& a) {
          with_rows<T>(o.b, s.b.get(), [&](const auto& b) { f.template operator()<T>(a, b); });
        });
      },
      o.a);
}

template <class RowsA, class RowsB>
index_t products_of(const RowsA& a, const RowsB& b, index_t row) {
  index_t products = 0;
  for (index_t p = a.begin(row); p < a.end(row); ++p)
    products += b.end(a.column(p)) - b.begin(a.column(p));
  return products;
}

/// In place: counts become the sums of all counts before them.
void scan(buffer<index_t>& counts) {
  index_t sum = 0;
  for (index_t& count : counts.span()) sum += std::exchange(count, sum);
}

int team_for(const symbolic& s, const context& where) {
  const index_t products = s.products[s.products.size() - 1];
  return static_cast<int>(std::clamp<index_t>(products / products_per_thread, 1, where.threads()));
}

/// body(row, table) for every row, in pieces of about equal products, each member with its table.
template <class I, class T, class Body>
void for_each_row(const symbolic& s, const context& where, Body&& body) {
  const index_t rows = s.products.size() - 1, total = s.products[rows];
  const int team = team_for(s, where);
  const index_t pieces = std::max<index_t>(1, std::min<index_t>(rows, index_t{16} * team));
  const auto first_row = [&](index_t piece) {
    if (piece == pieces) return rows;
    const auto* begin = s.products.data();
    return static_cast<index_t>(
        std::lower_bound(begin, begin + rows, part_of(total, piece, pieces).begin) - begin);
  };
  std::atomic<index_t> next{0};
  parallel(team, [&](int, int) {
    hash_table<I, T> table(where.memory());
    for (index_t piece; (piece = next.fetch_add(1, std::memory_order_relaxed)) < pieces;)
      for (index_t row = first_row(piece); row < first_row(piece + 1); ++row) body(row, table);
  });
}

state prepare(const problem& p, const operands& o, const context& where) {
  auto s = std::make_shared<symbolic>();
  s->a = index_rows(o.a, where);
  s->b = index_rows(o.b, where);
  s->products = buffer<index_t>(p.result.rows + 1, where.memory());
  s->offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  s->products[p.result.rows] = s->offsets[p.result.rows] = 0;
  with_operands(o, *s, [&]<class T>(const auto& a, const auto& b) {
    parallel_ranges(where.threads(), p.result.rows, 4096, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) s->products[i] = products_of(a, b, i);
    });
    scan(s->products);
    using I = typename std::remove_cvref_t<decltype(b)>::column_type;
    for_each_row<I, T>(*s, where, [&](index_t row, auto& table) {
      table.reserve(std::min(s->products[row + 1] - s->products[row], p.result.cols));
      for (index_t k = a.begin(row); k < a.end(row); ++k)
        for (index_t q = b.begin(a.column(k)); q < b.end(a.column(k)); ++q)
          table.touch(static_cast<I>(b.column(q)));
      s->offsets[row] = table.count();
      table.clear();
    });
  });
  scan(s->offsets);
  const index_t held = s->bytes();
  return {.tables = s, .result_nnz = s->offsets[p.result.rows], .bytes = held};
}

/// Columns sorted in place, then the sums in their order.
template <class J, class T, class Table>
void write_row(const Table& table, J* columns, T* values, T alpha) {
  const index_t count = table.count();
  table.columns(columns);
  std::sort(columns, columns + count);
  for (index_t k = 0; k < count; ++k)
    values[k] = alpha * table.sum(static_cast<typename Table::key>(columns[k]));
}

void run(const state& prepared, const operands& o, const context& where) {
  const auto& s = prepared.as<symbolic>();
  with_operands(o, s, [&]<class T>(const auto& a, const auto& b) {
    using I = typename std::remove_cvref_t<decltype(b)>::column_type;
    const auto& c = std::get<csr_view<T>>(*o.sparse);
    const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
    write_offsets(c, s.offsets.data(), team_for(s, where));
    for_each_row<I, T>(s, where, [&](index_t row, auto& table) {
      const index_t at = s.offsets[row];
      table.reserve(s.offsets[row + 1] - at);
      for (index_t k = a.begin(row); k < a.end(row); ++k) {
        const T value = a.value(k);
        for (index_t q = b.begin(a.column(k)); q < b.end(a.column(k)); ++q)
          table.add(static_cast<I>(b.column(q)), value * b.value(q));
      }
      if (c.columns.width() == index_width::i32)
        write_row(table, static_cast<std::int32_t*>(c.columns.data()) + at, c.values + at, alpha);
      else
        write_row(table, static_cast<std::int64_t*>(c.columns.data()) + at, c.values + at, alpha);
      table.clear();
    });
  });
}

verdict consider(const problem& p, const machine&) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const double flop = static_cast<double>(p.flop);
  const int team =
      static_cast<int>(std::clamp<index_t>(p.flop / products_per_thread, 1, p.threads));
  const bool indexed = p.a.format == format::csc || p.b.format == format::csc;
  return {.possible = true,
          .prepare_seconds = 0.4 * costs::hash_product * flop / team,
          .run_seconds = (0.6 * costs::hash_product + 0.5 * costs::sort_entry) * flop / team,
          .bytes = 2 * (p.result.rows + 1) * index_t{sizeof(index_t)},
          .because = formatted(
              "{} products by a hash table per thread, columns sorted row by row{}",
              count_text(p.flop), indexed ? ", a transposed operand walked through an index" : "")};
}

}  // namespace

extern const kernel spgemm_csr_hash_openmp;
const kernel spgemm_csr_hash_openmp{
    .id = "spgemm/csr/hash/openmp",
    .summary = "rows by hash table, two phases, sorted output",
    .reference = "Nagasaka et al. 2018; Gu et al. 2020 (HashSpGEMM)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run};

}  // namespace gossamer
