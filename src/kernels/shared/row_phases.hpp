// The two phases of a sparse product by rows, for kernels that differ only in how one row is made:
// the symbolic phase counts the entries of every row of C, the numeric phase writes them. Rows are
// handed out in pieces of about equal products; every member of the team has a maker of its own.
//
// template <class I, class T> class maker {
//   maker(extents result, const std::shared_ptr<memory_resource>&);
//   index_t count(a, b, row, products);                 // entries of the row
//   void write(a, b, row, entries, J* columns, T* values, T alpha);   // sorted
//   static index_t bytes(const problem&);               // held by one maker
// };
#pragma once

#include <algorithm>
#include <atomic>

#include "base/parallel.hpp"
#include "kernels/shared/row_access.hpp"
#include "kernels/shared/sparse_result.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

struct row_phases {
  std::shared_ptr<const row_index> a, b;
  buffer<index_t> products;  // rows + 1: products before each row
  buffer<index_t> offsets;   // rows + 1: entries of C before each row
  index_t bytes() const {
    return (products.size() + offsets.size()) * index_t{sizeof(index_t)} + (a ? a->bytes() : 0) +
           (b ? b->bytes() : 0);
  }
};

/// Below this many products a second member costs more than it gives.
inline constexpr index_t products_per_member = 20'000;

inline int team_for_products(index_t products, int threads) {
  return static_cast<int>(std::clamp<index_t>(products / products_per_member, 1, threads));
}

/// Rows of C in pieces that are handed out one by one: member(each_piece) once per member.
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

namespace detail {

template <class F>
void with_row_operands(const operands& o, const row_index* a_index, const row_index* b_index,
                       F&& f) {
  std::visit(
      [&]<class T>(const expression<T>&) {
        with_rows<T>(o.a, a_index, [&](const auto& a) {
          with_rows<T>(o.b, b_index, [&](const auto& b) { f.template operator()<T>(a, b); });
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

/// body(row, maker) for every row, in pieces of about equal products.
template <class Maker, class Body>
void for_each_row(const row_phases& s, extents result, const context& where, Body&& body) {
  const index_t rows = result.rows, total = s.products[rows];
  const int team = team_for_products(total, where.threads());
  const index_t pieces = std::max<index_t>(1, std::min<index_t>(rows, index_t{16} * team));
  const auto first_row = [&](index_t piece) {
    if (piece == pieces) return rows;
    const auto* begin = s.products.data();
    return static_cast<index_t>(
        std::lower_bound(begin, begin + rows, part_of(total, piece, pieces).begin) - begin);
  };
  std::atomic<index_t> next{0};
  parallel(team, [&](int, int) {
    Maker maker(result, where.memory());
    for (index_t piece; (piece = next.fetch_add(1, std::memory_order_relaxed)) < pieces;)
      for (index_t row = first_row(piece); row < first_row(piece + 1); ++row) body(row, maker);
  });
}

/// In place: counts become the sums of all counts before them.
inline void scan(buffer<index_t>& counts) {
  index_t sum = 0;
  for (index_t& count : counts.span()) sum += std::exchange(count, sum);
}

}  // namespace detail

template <template <class, class> class Maker>
state prepare_rows(const problem& p, const operands& o, const context& where) {
  auto s = std::make_shared<row_phases>();
  s->a = index_rows(o.a, where);
  s->b = index_rows(o.b, where);
  s->products = buffer<index_t>(p.result.rows + 1, where.memory());
  s->offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  s->products[p.result.rows] = s->offsets[p.result.rows] = 0;
  detail::with_row_operands(o, s->a.get(), s->b.get(), [&]<class T>(const auto& a, const auto& b) {
    parallel_ranges(where.threads(), p.result.rows, 4096, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) s->products[i] = detail::products_of(a, b, i);
    });
    detail::scan(s->products);
    using I = typename std::remove_cvref_t<decltype(b)>::column_type;
    detail::for_each_row<Maker<I, T>>(*s, p.result, where, [&](index_t row, auto& maker) {
      s->offsets[row] = maker.count(a, b, row, s->products[row + 1] - s->products[row]);
    });
  });
  detail::scan(s->offsets);
  const int team = team_for_products(s->products[p.result.rows], where.threads());
  const index_t held = s->bytes() + team * Maker<index_t, double>::bytes(p);
  return {.tables = s, .result_nnz = s->offsets[p.result.rows], .bytes = held};
}

template <template <class, class> class Maker>
void run_rows(const state& prepared, const operands& o, const context& where) {
  const auto& s = prepared.as<row_phases>();
  detail::with_row_operands(o, s.a.get(), s.b.get(), [&]<class T>(const auto& a, const auto& b) {
    using I = typename std::remove_cvref_t<decltype(b)>::column_type;
    const auto& c = std::get<csr_view<T>>(*o.sparse);
    const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
    write_offsets(c, s.offsets.data(),
                  team_for_products(s.products[c.shape.rows], where.threads()));
    detail::for_each_row<Maker<I, T>>(s, c.shape, where, [&](index_t row, auto& maker) {
      const index_t at = s.offsets[row], entries = s.offsets[row + 1] - at;
      if (c.columns.width() == index_width::i32)
        maker.write(a, b, row, entries, static_cast<std::int32_t*>(c.columns.data()) + at,
                    c.values + at, alpha);
      else
        maker.write(a, b, row, entries, static_cast<std::int64_t*>(c.columns.data()) + at,
                    c.values + at, alpha);
    });
  });
}

}  // namespace gossamer
