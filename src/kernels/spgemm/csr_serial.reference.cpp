// The specification of C = alpha A B, both sparse: row by row, sums in the order of A's and B's
// nonzeros, columns sorted, cancelled nonzeros kept; over any semiring, restricted to the mask, and
// with only the nonzeros of each row that the filter keeps.
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "kernels/spgemm/accumulators/semiring.hpp"
#include "kernels/spgemm/frame/counted_rows.hpp"
#include "kernels/spgemm/frame/sparse_result.hpp"
#include "kernels/spgemm/frame/table_products.hpp"
#include "kernels/spgemm/operands/erased_rows.hpp"
#include "plan/costs.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

namespace {

struct symbolic {
  std::shared_ptr<const counted_rows> rows;
  options how;
};

std::set<index_t> row_of(const pattern& mask, index_t row) {
  std::set<index_t> columns;
  for (index_t p = mask.offsets[row]; p < mask.offsets[row + 1]; ++p)
    columns.insert(mask.columns[p]);
  return columns;
}

/// Which values are read as their conjugates.
struct conjugations {
  bool a = false, b = false;
};

template <class Semiring, class T>
std::map<index_t, T> product_row(const any_rows<T>& a, const any_rows<T>& b, index_t row, T alpha,
                                 const std::optional<pattern>& mask, conjugations of) {
  std::map<index_t, T> sums;
  const auto masked = mask ? row_of(*mask, row) : std::set<index_t>();
  for (index_t p = a.begin(row); p < a.end(row); ++p)
    for (index_t q = b.begin(a.column(p)); q < b.end(a.column(p)); ++q) {
      if (mask && masked.contains(b.column(q)) == mask->complemented) continue;
      T& sum = sums.try_emplace(b.column(q), Semiring::identity()).first->second;
      Semiring::add(sum, Semiring::multiply(conjugated_if(of.a, a.value(p)),
                                            conjugated_if(of.b, b.value(q))));
    }
  for (auto& [column, sum] : sums) sum = scaled_value(alpha, sum);
  return sums;
}

template <class T>
bool larger(const std::pair<const index_t, T>& a, const std::pair<const index_t, T>& b) {
  const real_of<T> x = std::abs(a.second), y = std::abs(b.second);
  if (std::isnan(x) != std::isnan(y)) return std::isnan(x);
  return x > y || (!(x < y) && a.first < b.first);
}

template <class T>
void filter_row(std::map<index_t, T>& row, const options& how) {
  std::erase_if(row, [&](const auto& entry) {
    return (how.drop_zeros && entry.second == T{0}) ||
           static_cast<double>(std::abs(entry.second)) < how.keep.magnitude;
  });
  while (how.keep.largest > 0 && static_cast<index_t>(row.size()) > how.keep.largest) {
    auto least = row.begin();
    for (auto at = row.begin(); at != row.end(); ++at)
      if (larger<T>(*least, *at)) least = at;
    row.erase(least);
  }
}

/// Calls f(row, sums) for every row of C.
template <class T, class F>
void for_each_row(const operands& o, const counted_rows& rows, const options& how, F&& f) {
  const auto &left = std::get<expression<T>>(o.a), &right = std::get<expression<T>>(o.b);
  const auto a = erased_rows<T>(o.a, rows.a.get()), b = erased_rows<T>(o.b, rows.b.get());
  const conjugations of{left.conjugated, right.conjugated};
  for (index_t i = 0; i < facts(o.a).shape.rows; ++i) {
    auto sums = with_semiring<T>(how.semiring, [&]<template <class> class Semiring>() {
      return product_row<Semiring<T>>(a, b, i, times(left.alpha, right.alpha), how.mask, of);
    });
    filter_row(sums, how);
    f(i, sums);
  }
}

state prepare(const problem& p, const operands& o, const context& where) {
  auto s = std::make_shared<symbolic>();
  s->rows = o.counted;
  if (o.counted)  // without filters: those are applied to the result
    return {.tables = s, .spgemm = {.result_nnz = o.counted->offsets[p.result.rows]}};
  s->how = p.options;
  auto structure = std::make_shared<counted_rows>();
  structure->a = index_rows(o.a, where);
  structure->b = index_rows(o.b, where);
  structure->offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  structure->offsets[0] = 0;
  with_value_type(p.a.values, [&]<class T>() {
    for_each_row<T>(o, *structure, s->how, [&](index_t i, const auto& sums) {
      structure->offsets[i + 1] = structure->offsets[i] + static_cast<index_t>(sums.size());
    });
  });
  s->rows = structure;
  return {.tables = s,
          .bytes = structure->bytes(),
          .spgemm = {.result_nnz = structure->offsets[p.result.rows], .masked = true}};
}

void run(const state& prepared, const operands& o, const context&) {
  const auto& s = prepared.as<symbolic>();
  const auto& offsets = s.rows->offsets;
  std::visit(
      [&]<class T>(const csr_view<T>& c) {
        write_offsets(c, offsets.data(), 1);
        for_each_row<T>(o, *s.rows, s.how, [&](index_t i, const auto& sums) {
          index_t at = offsets[i];
          for (const auto& [column, sum] : sums) {
            write_index(c.columns, at, column);
            c.values[at++] = sum;
          }
        });
      },
      *o.sparse);
}

csr_result multiply_once_masked(const problem& p, const operands& o, const context& where) {
  const state prepared = prepare(p, o, where);
  return with_value_type(p.a.values, [&]<class T>() -> csr_result {
    const index_t nnz = prepared.spgemm.result_nnz;
    csr_matrix<T> c(p.result, nnz, narrowest(p.result, nnz), where.memory());
    operands with_result = o;
    with_result.sparse = c.mutable_view();
    run(prepared, with_result, where);
    return c;
  });
}
/// Bytes of a map node with its allocation overhead.
constexpr index_t map_node = 64;

verdict consider(const problem& p, const machine&) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  return {.possible = true,
          .prepare_seconds = costs::reference_product * static_cast<double>(p.spgemm.flop),
          .run_seconds = costs::reference_product * static_cast<double>(p.spgemm.flop),
          .bytes = team_within(p, longest_row_of(p) * map_node).bytes,
          .because = "serial reference code, the specification of this product"};
}

}  // namespace

extern const kernel spgemm_csr_serial_reference;
const kernel spgemm_csr_serial_reference{.id = "spgemm/csr/serial/reference",
                                         .summary = "serial row-by-row product with an ordered map",
                                         .reference = "the definition",
                                         .deterministic = true,
                                         .consider = consider,
                                         .prepare = prepare,
                                         .run = run,
                                         .spgemm = {.multiply_once_masked = multiply_once_masked},
                                         .values = taken_values::all};

}  // namespace gossamer
