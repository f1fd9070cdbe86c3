// C = alpha A B by rows with one hash table per thread (Nagasaka et al. 2018), sorted output: the
// symbolic phase counts the columns of a row in the table, the numeric phase sums there, sorts the
// columns together with their slots and reads the sums in that order. Every row is summed in the
// order of its products, so the bits do not depend on threads.
#include <algorithm>

#include "base/text.hpp"
#include "kernels/shared/general_rows.hpp"
#include "kernels/shared/hash_table.hpp"
#include "kernels/shared/row_phases.hpp"
#include "kernels/shared/table_rows.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

template <class I, class T>
class hash_maker {
 public:
  hash_maker(extents result, const std::shared_ptr<memory_resource>& source)
      : result_(result), table_(source) {}

  template <class RowsA, class RowsB>
  index_t count(const RowsA& a, const RowsB& b, index_t row, index_t products) {
    table_.reserve(std::min(products, result_.cols));
    touch_row(table_, a, b, row, a.end(result_.rows - 1));
    const index_t found = table_.count();
    table_.forget();
    return found;
  }

  template <class RowsA, class RowsB, class J>
  void write(const RowsA& a, const RowsB& b, index_t row, index_t entries, J* columns, T* values,
             T alpha) {
    table_.reserve(entries);
    add_row(table_, a, b, row, a.end(result_.rows - 1));
    table_.take(columns, values, alpha);
  }

  /// The table of the longest row: at most four slots per product, or per column.
  static index_t bytes(const problem& p) {
    return std::min(p.flop, p.result.cols) * 4 *
           index_t{sizeof(I) + sizeof(T) + sizeof(column_slot<I>)};
  }

 private:
  extents result_;
  hash_table<I, T> table_;
};

state prepare(const problem& p, const operands& o, const context& where) {
  return p.plain() ? prepare_rows<hash_maker>(p, o, where)
                   : prepare_general(row_accumulator::hash, p, o, where);
}

void run(const state& prepared, const operands& o, const context& where) {
  prepared.general ? run_general(prepared, o, where) : run_rows<hash_maker>(prepared, o, where);
}

csr_result general(const problem& p, const operands& o, const context& where) {
  return whole_general(row_accumulator::hash, p, o, where);
}

verdict consider(const problem& p, const machine&) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const double flop = static_cast<double>(p.flop);
  const int team = team_for_products(p.flop, p.threads);
  const bool indexed = p.a.format == format::csc || p.b.format == format::csc;
  return {.possible = true,
          .prepare_seconds = 0.4 * costs::hash_product * flop / team,
          .run_seconds = (0.6 * costs::hash_product + 0.5 * costs::sort_entry) * flop / team,
          .bytes = 2 * (p.result.rows + 1) * index_t{sizeof(index_t)} + gate_bytes(p, team),
          .because = formatted(
              "{} products by a hash table per thread, columns sorted row by row{}{}",
              count_text(p.flop), indexed ? ", a transposed operand walked through an index" : "",
              general_reason(p))};
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
    .run = run,
    .general = general};

}  // namespace gossamer
