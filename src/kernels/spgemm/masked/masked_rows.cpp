#include "kernels/spgemm/masked/masked_rows.hpp"

#include <mutex>

#include "analysis/saturate.hpp"
#include "base/text.hpp"
#include "kernels/spgemm/accumulators/bitmap_spa.hpp"
#include "kernels/spgemm/accumulators/spa.hpp"
#include "kernels/spgemm/frame/row_store.hpp"
#include "kernels/spgemm/frame/two_phases.hpp"

namespace gossamer {

namespace {

/// The options of a masked product.
struct masked_request {
  row_accumulator in = row_accumulator::bitmap;
  gossamer::semiring semiring = semiring::plus_times;
  std::optional<pattern> mask;  // borrowed: a plan owns the arrays
  entry_filter keep;
};

/// Rare semirings are compiled for the hash table only.
row_accumulator accumulator_for(row_accumulator in, const problem& p) {
  return with_semiring(p.options.semiring, [&]<template <class> class Semiring>() {
    return semirings::is_rare<Semiring<double>> ? row_accumulator::hash : in;
  });
}

masked_request request_of(row_accumulator in, const problem& p) {
  return {in, p.options.semiring, p.options.mask, p.kept()};
}

/// Tables of a plan.
struct masked_structure {
  masked_request asked;
  std::shared_ptr<const row_index> a, b;
  buffer<index_t> offsets;  // rows + 1
  index_t bytes() const {
    return offsets.size() * index_t{sizeof(index_t)} + (a ? a->bytes() : 0) + (b ? b->bytes() : 0);
  }
};

/// Scratch memory for a row before it is filtered and stored.
template <class I, class T>
class row_scratch {
 public:
  explicit row_scratch(std::shared_ptr<memory_resource> source) : source_(std::move(source)) {}
  void reserve(index_t entries) {
    if (entries <= columns.size()) return;
    columns = buffer<I>(std::max(entries, 2 * columns.size()), source_);
    values = buffer<T>(columns.size(), source_);
  }
  buffer<I> columns;
  buffer<T> values;

 private:
  std::shared_ptr<memory_resource> source_;
};

/// A product by rows.
template <class I, class T>
struct masked_product {
  const masked_request& asked;
  masked_operands<I, T> of;
  extents result;
  const context& where;

  std::unique_ptr<masked_row<I, T>> row_maker() const {
    return with_semiring<T>(asked.semiring, [&]<template <class> class Semiring>() {
      return make_masked_row<Semiring>(of, where.memory());
    });
  }

  /// Upper bound on the nonzeros of a row: its multiplications, the columns, and what the mask
  /// admits.
  index_t most(index_t row) const {
    if (asked.mask && !asked.mask->complemented) {
      const index_t admitted = asked.mask->offsets[row + 1] - asked.mask->offsets[row];
      if (admitted == 0) return 0;
      return std::min({admitted, result.cols, detail::products_of(of.a, of.b, row)});
    }
    return std::min(result.cols, detail::products_of(of.a, of.b, row));
  }

  /// Calls body(row, bound on its nonzeros, maker, filter, scratch) for every row that may have
  /// nonzeros; none(row) for the others.
  template <class Body, class None>
  void over_rows(index_t products, Body&& body, None&& none) const {
    over_pieces(result.rows, team_for_products(products, where.threads()), [&](auto&& each) {
      const auto maker = row_maker();
      row_filter<T> filter(asked.keep);
      row_scratch<I, T> scratch(where.memory());
      each([&](index_t begin, index_t end) {
        for (index_t row = begin; row < end; ++row)
          if (const index_t entries = most(row); entries > 0)
            body(row, entries, *maker, filter, scratch);
          else
            none(row);
      });
    });
  }
};

/// Calls f(product) with the types of the operands.
template <class F>
void with_product(const masked_request& asked, const operands& o, const row_index* a_index,
                  const row_index* b_index, const context& where, F&& f) {
  std::visit(
      [&]<class T>(const expression<T>& left) {
        const auto& right = std::get<expression<T>>(o.b);
        const extents a_shape = facts(o.a).shape, b_shape = facts(o.b).shape;
        const extents result{a_shape.rows, b_shape.cols};
        const auto a = erased_rows<T>(o.a, a_index);
        with_rows_of_b(erased_rows<T>(o.b, b_index), [&]<class Rows>(const Rows& b) {
          using I = typename Rows::column_type;
          f(masked_product<I, T>{
              asked,
              {.in = asked.in,
               .a = a,
               .b = b,
               .a_entries = a_shape.rows > 0 ? a.end(a_shape.rows - 1) : 0,
               .columns = result.cols,
               .alpha = conjugated_if(right.conjugated, times(left.alpha, right.alpha)),
               .mask = asked.mask ? &*asked.mask : nullptr,
               .conjugate_a = left.conjugated != right.conjugated,
               .conjugate_result = right.conjugated},
              result,
              where});
        });
      },
      o.a);
}

template <class J, class I, class T>
void fill_rows(const masked_product<I, T>& product, const buffer<index_t>& offsets,
               const csr_view<T>& c) {
  auto* const columns = static_cast<J*>(c.columns.data());
  product.over_rows(
      c.nnz(),
      [&](index_t row, index_t most, auto& maker, auto& filter, auto& scratch) {
        scratch.reserve(most);
        const index_t count = maker.make(row, most, scratch.columns.data(), scratch.values.data());
        const index_t kept = filter(scratch.columns.data(), scratch.values.data(), count);
        for (index_t k = 0; k < kept; ++k)
          columns[offsets[row] + k] = static_cast<J>(scratch.columns[k]);
        std::copy_n(scratch.values.data(), kept, c.values + offsets[row]);
      },
      [](index_t) {});
}

index_t accumulator_bytes(row_accumulator in, const problem& p) {
  const index_t columns = p.result.cols;
  const index_t value = std::max<index_t>(bytes(p.a.values), 8);
  switch (in) {
    case row_accumulator::hash: return std::min(p.spgemm.flop, columns) * 4 * (8 + value + 16);
    case row_accumulator::spa: return spa<index_t, double>::bytes_for(columns);
    case row_accumulator::bitmap: break;
  }
  if (is_complex(p.a.values)) return bitmap_spa<index_t, std::complex<double>>::bytes_for(columns);
  return bitmap_spa<index_t, double>::bytes_for(columns);
}

}  // namespace

state prepare_masked(row_accumulator in, const problem& p, const operands& o,
                     const context& where) {
  auto s = std::make_shared<masked_structure>();
  in = accumulator_for(in, p);
  s->asked = request_of(in, p);
  s->a = index_rows(o.a, where);
  s->b = index_rows(o.b, where);
  s->offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  s->offsets[p.result.rows] = 0;
  const bool by_structure = s->asked.keep.keeps_all();
  with_product(s->asked, o, s->a.get(), s->b.get(), where, [&](const auto& product) {
    product.over_rows(
        p.spgemm.flop,
        [&](index_t row, index_t most, auto& maker, auto& filter, auto& scratch) {
          if (by_structure) {
            s->offsets[row] = maker.count(row, most);
            return;
          }
          scratch.reserve(most);
          const index_t count =
              maker.make(row, most, scratch.columns.data(), scratch.values.data());
          s->offsets[row] = filter(scratch.columns.data(), scratch.values.data(), count);
        },
        [&](index_t row) { s->offsets[row] = 0; });
  });
  prefix_sums(where.threads(), s->offsets.span());
  const int team = team_for_products(p.spgemm.flop, where.threads());
  using analysis::amount;
  const index_t held = (amount{s->bytes()} + amount{team} * amount{accumulator_bytes(in, p)} +
                        amount{gate_bytes(p, team)})
                           .value;
  return {.tables = s,
          .bytes = held,
          .spgemm = {.result_nnz = s->offsets[p.result.rows], .masked = true}};
}

void run_masked(const state& prepared, const operands& o, const context& where) {
  const auto& s = prepared.as<masked_structure>();
  with_product(s.asked, o, s.a.get(), s.b.get(), where,
               [&]<class I, class T>(const masked_product<I, T>& product) {
                 const auto& c = std::get<csr_view<T>>(*o.sparse);
                 write_offsets(c, s.offsets.data(), where.threads());
                 if (c.columns.width() == index_width::i32)
                   fill_rows<std::int32_t>(product, s.offsets, c);
                 else
                   fill_rows<std::int64_t>(product, s.offsets, c);
               });
}

csr_result multiply_once_masked(row_accumulator in, const problem& p, const operands& o,
                                const context& where) {
  const masked_request asked = request_of(accumulator_for(in, p), p);
  const auto a_index = index_rows(o.a, where), b_index = index_rows(o.b, where);
  buffer<index_t> offsets(p.result.rows + 1, where.memory());
  offsets[p.result.rows] = 0;
  std::optional<csr_result> c;
  with_product(asked, o, a_index.get(), b_index.get(), where,
               [&]<class I, class T>(const masked_product<I, T>& product) {
                 std::vector<row_writer<I, T>> writers;
                 std::mutex guard;
                 over_pieces(p.result.rows, team_for_products(p.spgemm.flop, where.threads()),
                             [&](auto&& each) {
                               const auto maker = product.row_maker();
                               row_filter<T> filter(asked.keep);
                               row_writer<I, T> out(where.memory());
                               each([&](index_t begin, index_t end) {
                                 out.begin_segment();
                                 for (index_t row = begin; row < end; ++row) {
                                   const index_t most = product.most(row);
                                   const auto [columns, values] = out.reserve(row, most);
                                   offsets[row] =
                                       most > 0 ? filter(columns, values,
                                                         maker->make(row, most, columns, values))
                                                : 0;
                                   out.give_back(most - offsets[row]);
                                 }
                               });
                               const std::lock_guard lock(guard);
                               writers.push_back(std::move(out));
                             });
                 prefix_sums(where.threads(), offsets.span());
                 c = collect_rows(p.result, offsets, writers, where);
               });
  return std::move(*c);
}

std::string masked_reason(const problem& p) {
  std::string text;
  if (p.options.semiring != semiring::plus_times)
    text += formatted(", over {}", name(p.options.semiring));
  if (p.options.mask)
    text += formatted(", under a {}mask of {} nonzeros",
                      p.options.mask->complemented ? "complemented " : "",
                      count_text(p.options.mask->nnz()));
  if (!p.kept().keeps_all()) text += ", rows filtered before they are stored";
  return text;
}

index_t gate_bytes(const problem& p, int team) {
  return p.options.mask ? team * mask_gate::bytes_for(p.result.cols) : 0;
}

}  // namespace gossamer
