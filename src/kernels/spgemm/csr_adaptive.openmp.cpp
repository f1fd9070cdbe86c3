// C = alpha A B by rows, in one pass: each row is summed densely under a bitmap (bitmap_row.hpp),
// comes out sorted, and is kept in blocks until the size of C is known (row_store.hpp). No symbolic
// phase, no sorting. Rows of A with a single entry are scaled copies of a row of B. Rows of B are
// fetched ahead of their use, since for matrices without locality waiting for them is most of the
// work. Every row is summed in the order of its products: the bits do not depend on threads.
//
// A plan keeps the columns of C; filling it again then only adds and reads back. Under a memory
// limit rows are counted first and summed straight into C.
#include <algorithm>
#include <mutex>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernels/shared/bitmap_row.hpp"
#include "kernels/shared/row_phases.hpp"
#include "kernels/shared/row_store.hpp"
#include "plan/costs.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

namespace {

constexpr index_t fetch_offsets_ahead = 16, fetch_rows_ahead = 8;

/// What a plan keeps.
struct structure {
  std::shared_ptr<const row_index> a, b;
  buffer<index_t> offsets;  // rows + 1
  index_buffer columns;     // of C; empty under a memory limit
};

/// Rows of C in pieces that are handed out one by one; member(state-maker) once per member.
template <class Member>
void over_pieces(index_t rows, int team, Member&& member) {
  const index_t piece = std::clamp<index_t>(rows / (index_t{team} * 64), 1, 256);
  const index_t pieces = (rows + piece - 1) / piece;
  std::atomic<index_t> next{0};
  parallel(team, [&](int, int) {
    member([&](auto&& body) {
      for (index_t k; (k = next.fetch_add(1, std::memory_order_relaxed)) < pieces;)
        body(k * piece, std::min((k + 1) * piece, rows));
    });
  });
}

/// f(entry of A) for a row of A, with the rows of B that come soon on their way.
template <class RowsA, class RowsB, class F>
void for_each_fetched(const RowsA& a, const RowsB& b, index_t row, index_t last, F&& f) {
  const index_t end = a.end(row);
  for (index_t k = a.begin(row); k < end; ++k) {
    if (k + fetch_offsets_ahead < last) {
      b.fetch_offsets(a.column(k + fetch_offsets_ahead));
      b.fetch_entries(a.column(k + fetch_rows_ahead));
    }
    f(k);
  }
}

/// A copy of a row of B, if its columns ascend; else nothing is said about `columns` and `values`.
template <class Rows, class I, class T>
bool copy_row(const Rows& b, index_t row, T factor, I* columns, T* values) {
  index_t before = -1;
  bool ascending = true;
  const index_t begin = b.begin(row), end = b.end(row);
  for (index_t q = begin; q < end; ++q) {
    const index_t column = b.column(q);
    ascending &= column > before;
    before = column;
    columns[q - begin] = static_cast<I>(column);
    values[q - begin] = T{0} + factor * b.value(q);
  }
  return ascending;
}

// ---- the whole product ----------------------------------------------------------------------

template <class I, class T, class RowsA, class RowsB>
index_t write_row(const RowsA& a, const RowsB& b, index_t row, index_t last, T alpha,
                  bitmap_row<I, T>& sums, row_writer<I, T>& out) {
  index_t most = 0;
  for (index_t k = a.begin(row); k < a.end(row); ++k)
    most += b.end(a.column(k)) - b.begin(a.column(k));
  const bool single = a.end(row) - a.begin(row) == 1 && most <= sums.columns();
  most = std::min(most, sums.columns());
  const auto [columns, values] = out.reserve(row, most);
  if (single) {
    const index_t k = a.begin(row);
    if (copy_row(b, a.column(k), alpha * a.value(k), columns, values)) return most;
  }
  for_each_fetched(a, b, row, last, [&](index_t k) { sums.add(b, a.column(k), a.value(k)); });
  const index_t count = sums.take(columns, values, alpha);
  out.give_back(most - count);
  return count;
}

template <class T, class I>
csr_result collect(const problem& p, const buffer<index_t>& offsets,
                   const std::vector<row_writer<I, T>>& writers, int team, const context& where) {
  const index_t nnz = offsets[p.result.rows];
  csr_matrix<T> c(p.result, nnz, narrowest(p.result, nnz), where.memory());
  const auto view = c.mutable_view();
  write_offsets(view, offsets.data(), team);
  std::vector<const row_segment<I, T>*> segments;
  for (const auto& writer : writers)
    for (const auto& one : writer.segments()) segments.push_back(&one);
  if (view.columns.width() == index_width::i32)
    copy_segments(segments, offsets.data(), static_cast<std::int32_t*>(view.columns.data()),
                  view.values, team);
  else
    copy_segments(segments, offsets.data(), static_cast<std::int64_t*>(view.columns.data()),
                  view.values, team);
  return c;
}

csr_result whole(const problem& p, const operands& o, const context& where) {
  const auto a_index = index_rows(o.a, where), b_index = index_rows(o.b, where);
  const int team = team_for_products(p.flop, where.threads());
  buffer<index_t> offsets(p.result.rows + 1, where.memory());
  offsets[p.result.rows] = 0;
  std::optional<csr_result> c;
  detail::with_row_operands(o, a_index.get(), b_index.get(),
                            [&]<class T>(const auto& a, const auto& b) {
                              using I = typename std::remove_cvref_t<decltype(b)>::column_type;
                              const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
                              const index_t last = p.result.rows > 0 ? a.end(p.result.rows - 1) : 0;
                              std::vector<row_writer<I, T>> writers;
                              std::mutex guard;
                              over_pieces(p.result.rows, team, [&](auto&& each_piece) {
                                bitmap_row<I, T> sums(p.result.cols, where.memory());
                                row_writer<I, T> out(where.memory());
                                each_piece([&](index_t begin, index_t end) {
                                  out.begin_segment();
                                  for (index_t row = begin; row < end; ++row)
                                    offsets[row] = write_row(a, b, row, last, alpha, sums, out);
                                });
                                const std::lock_guard lock(guard);
                                writers.push_back(std::move(out));
                              });
                              detail::scan(offsets);
                              c = collect<T, I>(p, offsets, writers, team, where);
                            });
  return std::move(*c);
}

// ---- plans ----------------------------------------------------------------------------------

template <class I, class T, class RowsA, class RowsB>
void mark_row(const RowsA& a, const RowsB& b, index_t row, index_t last, bitmap_row<I, T>& seen) {
  for_each_fetched(a, b, row, last, [&](index_t k) { seen.mark(b, a.column(k)); });
}

template <class T, class RowsA, class RowsB>
void count_rows(const problem& p, const RowsA& a, const RowsB& b, structure& s,
                const context& where) {
  using I = typename RowsB::column_type;
  const index_t last = p.result.rows > 0 ? a.end(p.result.rows - 1) : 0;
  over_pieces(p.result.rows, team_for_products(p.flop, where.threads()), [&](auto&& each_piece) {
    bitmap_row<I, T> seen(p.result.cols, where.memory());
    each_piece([&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) {
        mark_row(a, b, row, last, seen);
        s.offsets[row] = seen.count();
      }
    });
  });
  detail::scan(s.offsets);
}

template <class T, class RowsA, class RowsB>
void list_columns(const problem& p, const RowsA& a, const RowsB& b, structure& s,
                  const context& where) {
  using I = typename RowsB::column_type;
  const index_t last = p.result.rows > 0 ? a.end(p.result.rows - 1) : 0;
  s.columns = index_buffer(s.offsets[p.result.rows], narrowest(p.result.cols), where.memory());
  over_pieces(p.result.rows, team_for_products(p.flop, where.threads()), [&](auto&& each_piece) {
    bitmap_row<I, T> seen(p.result.cols, where.memory());
    each_piece([&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) {
        mark_row(a, b, row, last, seen);
        const auto out = s.columns.view();
        if (out.width() == index_width::i32)
          seen.take_columns(static_cast<std::int32_t*>(out.data()) + s.offsets[row]);
        else
          seen.take_columns(static_cast<std::int64_t*>(out.data()) + s.offsets[row]);
      }
    });
  });
}

state prepare(const problem& p, const operands& o, const context& where) {
  auto s = std::make_shared<structure>();
  s->a = index_rows(o.a, where);
  s->b = index_rows(o.b, where);
  s->offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  s->offsets[p.result.rows] = 0;
  const bool tight = p.options.memory_limit > 0;
  detail::with_row_operands(o, s->a.get(), s->b.get(), [&]<class T>(const auto& a, const auto& b) {
    count_rows<T>(p, a, b, *s, where);
    if (!tight) list_columns<T>(p, a, b, *s, where);
  });
  const index_t sums =
      team_for_products(p.flop, where.threads()) *
      (p.a.values == value_type::f32 ? bitmap_row<index_t, float>::bytes_for(p.result.cols)
                                     : bitmap_row<index_t, double>::bytes_for(p.result.cols));
  const index_t held = s->offsets.size() * index_t{sizeof(index_t)} +
                       s->columns.size() * bytes(s->columns.width()) + (s->a ? s->a->bytes() : 0) +
                       (s->b ? s->b->bytes() : 0) + sums;
  return {.tables = s, .result_nnz = s->offsets[p.result.rows], .bytes = held};
}

template <class J, class T, class RowsA, class RowsB>
void fill_rows(const structure& s, const RowsA& a, const RowsB& b, const csr_view<T>& c, T alpha,
               int team, const context& where) {
  using I = typename RowsB::column_type;
  const index_t rows = c.shape.rows, last = rows > 0 ? a.end(rows - 1) : 0;
  auto* columns = static_cast<J*>(c.columns.data());
  const bool known = s.columns.size() == c.nnz() && s.columns.width() == width_of<J>;
  const auto* list = known ? static_cast<const J*>(s.columns.view().data()) : nullptr;
  over_pieces(rows, team, [&](auto&& each_piece) {
    bitmap_row<I, T> sums(c.shape.cols, where.memory());
    each_piece([&](index_t begin, index_t end) {
      for (index_t row = begin; row < end; ++row) {
        const index_t at = s.offsets[row], count = s.offsets[row + 1] - at;
        if (known) {
          for_each_fetched(a, b, row, last,
                           [&](index_t k) { sums.add_known(b, a.column(k), a.value(k)); });
          std::copy_n(list + at, count, columns + at);
          sums.take_known(list + at, count, c.values + at, alpha);
        } else {
          for_each_fetched(a, b, row, last,
                           [&](index_t k) { sums.add(b, a.column(k), a.value(k)); });
          sums.take(columns + at, c.values + at, alpha);
        }
      }
    });
  });
}

void run(const state& prepared, const operands& o, const context& where) {
  const auto& s = prepared.as<structure>();
  detail::with_row_operands(o, s.a.get(), s.b.get(), [&]<class T>(const auto& a, const auto& b) {
    const auto& c = std::get<csr_view<T>>(*o.sparse);
    const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
    const int team = team_for_products(c.nnz(), where.threads());
    write_offsets(c, s.offsets.data(), team);
    if (c.columns.width() == index_width::i32)
      fill_rows<std::int32_t>(s, a, b, c, alpha, team, where);
    else
      fill_rows<std::int64_t>(s, a, b, c, alpha, team, where);
  });
}

verdict consider(const problem& p, const machine& m) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const int team = team_for_products(p.flop, p.threads);
  const double flop = static_cast<double>(p.flop), rows = static_cast<double>(p.result.rows);
  const index_t sums = bitmap_row<index_t, double>::bytes_for(p.result.cols);
  const double clear = costs::stream(static_cast<double>(sums), m, 1);
  const double work = (costs::bitmap_product * flop + costs::bitmap_row * rows) / team;
  return {
      .possible = true,
      .prepare_seconds = 0.5 * work,
      .run_seconds = work + clear,
      .bytes = (p.result.rows + 1) * index_t{sizeof(index_t)} + team * sums,
      .because = formatted("{} products summed densely under a bitmap, sorted by itself, in one "
                           "pass",
                           count_text(p.flop))};
}

}  // namespace

extern const kernel spgemm_csr_adaptive_openmp;
const kernel spgemm_csr_adaptive_openmp{
    .id = "spgemm/csr/adaptive/openmp",
    .summary = "rows by dense sums under a bitmap, one pass, sorted by itself",
    .reference = "docs/kernels/spgemm-adaptive.md",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .whole = whole};

}  // namespace gossamer
