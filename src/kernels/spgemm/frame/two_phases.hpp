// The two phases of a sparse product by rows, for kernels that differ only in how they compute one
// row: the symbolic phase counts the nonzeros of every row of C, the numeric phase writes them.
// Threads claim pieces of about equal multiplications; every thread has a maker of its own.
//
// template <class I, class T> class maker {
//   maker(extents result, const std::shared_ptr<memory_resource>&);
//   index_t count(a, b, row, products);                 // nonzeros of the row
//   void write(a, b, row, entries, J* columns, T* values, T alpha);   // sorted
//   static index_t bytes(const problem&);               // held by one maker
// };
//
// Under a memory limit the nonzeros were counted before (counted_rows.hpp): only writing is left.
#pragma once

#include <algorithm>

#include "base/parallel.hpp"
#include "base/prefix_sums.hpp"
#include "kernels/spgemm/frame/counted_rows.hpp"
#include "kernels/spgemm/frame/sparse_result.hpp"
#include "kernels/spgemm/operands/erased_rows.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

struct two_phases {
  std::shared_ptr<const counted_rows> rows;
  buffer<index_t> products;  // rows + 1: products before each row; empty under a limit
  int team = 1;
  index_t bytes() const { return products.size() * index_t{sizeof(index_t)} + rows->bytes(); }
};

/// Calls on_thread(each_piece) once on each thread, which calls each_piece(body) for body(begin,
/// end) on the pieces of the rows of C that the thread claims.
template <class OnThread>
void over_pieces(index_t rows, int team, OnThread&& on_thread) {
  const index_t piece = std::clamp<index_t>(rows / (index_t{team} * 64), 1, 256);
  const index_t pieces = (rows + piece - 1) / piece;
  parallel_pieces(team, pieces, [&](claimed_pieces own, int, int) {
    on_thread([&](auto&& body) {
      for (const index_t k : own) body(k * piece, std::min((k + 1) * piece, rows));
    });
  });
}

namespace detail {

/// Calls f.operator()<T>(rows of A, rows of B) for real values, or for complex ones.
template <taken_values Values = taken_values::real, class F>
void with_row_operands(const operands& o, const row_index* a_index, const row_index* b_index,
                       F&& f) {
  const auto call = [&]<class T>(const expression<T>&) {
    with_row_pair(erased_rows<T>(o.a, a_index), erased_rows<T>(o.b, b_index),
                  [&](const auto& a, const auto& b) { f.template operator()<T>(a, b); });
  };
  if constexpr (Values == taken_values::complex)
    visit_complex(call, o.a);
  else
    visit_real(call, o.a);
}

template <class RowsA, class RowsB>
index_t products_of(const RowsA& a, const RowsB& b, index_t row) {
  index_t products = 0;
  for (index_t p = a.begin(row); p < a.end(row); ++p)
    products += b.end(a.column(p)) - b.begin(a.column(p));
  return products;
}

/// Calls body(row, maker) for every row, in pieces of about equal work; work[i] is the work before
/// row i. Each thread has a maker of its own.
template <class Maker, class Body>
void for_each_row(const index_t* work, extents result, int team, const context& where,
                  Body&& body) {
  const index_t rows = result.rows;
  const index_t pieces = std::max<index_t>(1, std::min<index_t>(rows, index_t{16} * team));
  parallel_pieces(team, pieces, [&](claimed_pieces own, int, int) {
    Maker maker(result, where.memory());
    for (const index_t piece : own) {
      const auto [begin, end] =
          part_of_work(rows, piece, pieces, [&](index_t row) { return work[row]; });
      for (index_t row = begin; row < end; ++row) body(row, maker);
    }
  });
}

}  // namespace detail

/// What one maker holds, in the types the problem asks for.
template <template <class, class> class Maker, taken_values Values = taken_values::real>
index_t maker_bytes(const problem& p) {
  const bool wide = p.b.format == format::csc || p.b.index.indices == index_width::i64;
  const auto bytes_of = [&]<class T>() {
    return wide ? Maker<std::int64_t, T>::bytes(p) : Maker<std::int32_t, T>::bytes(p);
  };
  if constexpr (Values == taken_values::complex)
    return p.a.values == value_type::c64 ? bytes_of.template operator()<std::complex<float>>()
                                         : bytes_of.template operator()<std::complex<double>>();
  else
    return with_real_type(p.a.values, bytes_of);
}

template <template <class, class> class Maker, taken_values Values = taken_values::real>
state prepare_rows(const problem& p, const operands& o, const context& where) {
  auto s = std::make_shared<two_phases>();
  s->team = team_within(p, maker_bytes<Maker, Values>(p)).threads;
  s->rows = o.counted;
  if (o.counted)
    return {.tables = s,
            .bytes = s->bytes(),
            .spgemm = {.result_nnz = o.counted->offsets[p.result.rows]}};
  auto structure = std::make_shared<counted_rows>();
  structure->a = index_rows(o.a, where);
  structure->b = index_rows(o.b, where);
  s->products = buffer<index_t>(p.result.rows + 1, where.memory());
  structure->offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  const auto with_rows = [&](auto&& f) {
    detail::with_row_operands<Values>(o, structure->a.get(), structure->b.get(), f);
  };
  with_rows([&]<class T>(const auto& a, const auto& b) {
    parallel_ranges(where.threads(), p.result.rows, 4096, [&](index_t begin, index_t end) {
      for (index_t i = begin; i < end; ++i) s->products[i] = detail::products_of(a, b, i);
    });
    prefix_sums(where.threads(), s->products.span());
    using I = typename std::remove_cvref_t<decltype(b)>::column_type;
    detail::for_each_row<Maker<I, T>>(
        s->products.data(), p.result, s->team, where, [&](index_t row, auto& maker) {
          structure->offsets[row] = maker.count(a, b, row, s->products[row + 1] - s->products[row]);
        });
  });
  prefix_sums(where.threads(), structure->offsets.span());
  s->rows = structure;
  return {.tables = s,
          .bytes = s->bytes(),
          .spgemm = {.result_nnz = structure->offsets[p.result.rows]}};
}

template <template <class, class> class Maker, taken_values Values = taken_values::real>
void run_rows(const state& prepared, const operands& o, const context& where) {
  const auto& s = prepared.as<two_phases>();
  const auto& rows = *s.rows;
  const index_t* const work = s.products.size() > 0 ? s.products.data() : rows.offsets.data();
  const auto fill = [&]<class T>(const auto& a, const auto& b) {
    using I = typename std::remove_cvref_t<decltype(b)>::column_type;
    const auto& c = std::get<csr_view<T>>(*o.sparse);
    const T alpha = times(alpha_of<T>(o.a), alpha_of<T>(o.b));
    write_offsets(c, rows.offsets.data(), s.team);
    detail::for_each_row<Maker<I, T>>(work, c.shape, s.team, where, [&](index_t row, auto& maker) {
      const index_t at = rows.offsets[row], entries = rows.offsets[row + 1] - at;
      if constexpr (complex_scalar<T>)
        maker.conjugate(std::get<expression<T>>(o.a).conjugated,
                        std::get<expression<T>>(o.b).conjugated);
      if (c.columns.width() == index_width::i32)
        maker.write(a, b, row, entries, static_cast<std::int32_t*>(c.columns.data()) + at,
                    c.values + at, alpha);
      else
        maker.write(a, b, row, entries, static_cast<std::int64_t*>(c.columns.data()) + at,
                    c.values + at, alpha);
    });
  };
  detail::with_row_operands<Values>(o, rows.a.get(), rows.b.get(), fill);
}

}  // namespace gossamer
