// The specification of C = alpha A B, both sparse: row by row, sums in the order of A's and B's
// entries, columns sorted, cancelled entries kept.
#include <map>
#include <vector>

#include "base/text.hpp"
#include "kernels/shared/row_access.hpp"
#include "kernels/shared/sparse_result.hpp"
#include "plan/costs.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

namespace {

struct symbolic {
  std::shared_ptr<const row_index> a, b;
  std::vector<index_t> offsets;
};

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
void for_each_row(const operands& o, const symbolic& s, F&& f) {
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
  auto s = std::make_shared<symbolic>();
  s->a = index_rows(o.a, where);
  s->b = index_rows(o.b, where);
  s->offsets.assign(static_cast<std::size_t>(p.result.rows) + 1, 0);
  for_each_row(o, *s, [&](index_t i, const auto& sums) {
    s->offsets[static_cast<std::size_t>(i) + 1] =
        s->offsets[static_cast<std::size_t>(i)] + static_cast<index_t>(sums.size());
  });
  return {.tables = s, .result_nnz = s->offsets.back()};
}

void run(const state& prepared, const operands& o, const context&) {
  const auto& s = prepared.as<symbolic>();
  std::visit(
      [&]<class T>(const csr_view<T>& c) {
        write_offsets(c, s.offsets.data(), 1);
        for_each_row(o, s, [&](index_t i, const auto& sums) {
          index_t at = s.offsets[static_cast<std::size_t>(i)];
          for (const auto& [column, sum] : sums) {
            write_index(c.columns, at, column);
            c.values[at++] = static_cast<T>(sum);
          }
        });
      },
      *o.sparse);
}

verdict consider(const problem& p, const machine&) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  return {.possible = true,
          .prepare_seconds = 1e-7 * static_cast<double>(p.flop),
          .run_seconds = 1e-7 * static_cast<double>(p.flop),
          .bytes = (p.result.rows + 1) * 8,
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
