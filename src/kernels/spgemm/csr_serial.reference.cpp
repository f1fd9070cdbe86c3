// The specification of C = alpha A B, both sparse: row by row, sums in the order of A's and B's
// entries, columns sorted, cancelled entries kept.
#include <map>

#include "kernels/shared/counted_rows.hpp"
#include "kernels/shared/sparse_result.hpp"
#include "kernels/shared/table_rows.hpp"
#include "plan/costs.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

namespace {

template <class RowsA, class RowsB, class T>
std::map<index_t, T> product_row(const RowsA& a, const RowsB& b, index_t row, T alpha) {
  std::map<index_t, T> sums;
  for (index_t p = a.begin(row); p < a.end(row); ++p)
    for (index_t q = b.begin(a.column(p)); q < b.end(a.column(p)); ++q)
      sums[b.column(q)] += a.value(p) * b.value(q);
  for (auto& [column, sum] : sums) sum *= alpha;
  return sums;
}

/// f(row, sums) for every row of C.
template <class F>
void for_each_row(const operands& o, const counted_rows& s, F&& f) {
  std::visit(
      [&]<class T>(const expression<T>& e) {
        with_rows<T>(o.a, s.a.get(), [&](const auto& a) {
          with_rows<T>(o.b, s.b.get(), [&](const auto& b) {
            for (index_t i = 0; i < facts(o.a).shape.rows; ++i)
              f(i, product_row(a, b, i, e.alpha * alpha_of<T>(o.b)));
          });
        });
      },
      o.a);
}

state prepare(const problem& p, const operands& o, const context& where) {
  if (o.counted) return {.tables = o.counted, .result_nnz = o.counted->offsets[p.result.rows]};
  auto s = std::make_shared<counted_rows>();
  s->a = index_rows(o.a, where);
  s->b = index_rows(o.b, where);
  s->offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  s->offsets[0] = 0;
  for_each_row(o, *s, [&](index_t i, const auto& sums) {
    s->offsets[i + 1] = s->offsets[i] + static_cast<index_t>(sums.size());
  });
  return {.tables = s, .result_nnz = s->offsets[p.result.rows], .bytes = s->bytes()};
}

void run(const state& prepared, const operands& o, const context&) {
  const auto& s = prepared.as<counted_rows>();
  std::visit(
      [&]<class T>(const csr_view<T>& c) {
        write_offsets(c, s.offsets.data(), 1);
        for_each_row(o, s, [&](index_t i, const auto& sums) {
          index_t at = s.offsets[i];
          for (const auto& [column, sum] : sums) {
            write_index(c.columns, at, column);
            c.values[at++] = static_cast<T>(sum);
          }
        });
      },
      *o.sparse);
}

/// An entry of a map with what surrounds it.
constexpr index_t map_node = 64;

verdict consider(const problem& p, const machine&) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  return {.possible = true,
          .prepare_seconds = 1e-7 * static_cast<double>(p.flop),
          .run_seconds = 1e-7 * static_cast<double>(p.flop),
          .bytes = team_within(p, longest_row_of(p) * map_node).bytes,
          .because = "serial and plain: the specification"};
}

}  // namespace

extern const kernel spgemm_csr_serial_reference;
const kernel spgemm_csr_serial_reference{.id = "spgemm/csr/serial/reference",
                                         .summary = "row by row with an ordered map",
                                         .reference = "the definition",
                                         .deterministic = true,
                                         .consider = consider,
                                         .prepare = prepare,
                                         .run = run};

}  // namespace gossamer
