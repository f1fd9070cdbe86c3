// C = alpha A B by rows with one hash table per thread (Nagasaka et al. 2018), sorted output: the
// symbolic phase counts the columns of a row in the table, the numeric phase sums there, sorts the
// columns together with their slots and reads the sums in that order. Every row is summed in the
// order of its multiplications, so results are bitwise reproducible for any number of threads.
#include <algorithm>

#include "kernels/spgemm/accumulators/hash_table.hpp"
#include "kernels/spgemm/frame/table_products.hpp"
#include "kernels/spgemm/masked/masked_or_plain.hpp"

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

  static index_t bytes(const problem& p) { return hash_table<I, T>::bytes_for(longest_row_of(p)); }

 private:
  extents result_;
  hash_table<I, T> table_;
};

using functions = row_kernel<hash_maker, row_accumulator::hash>;

verdict consider(const problem& p, const machine&) {
  verdict v = consider_table(p, costs::hash_product, maker_bytes<hash_maker>(p), "per thread");
  v.bytes += gate_bytes(p, team_for_products(p.spgemm.flop, p.threads));
  v.because += masked_reason(p);
  return v;
}

}  // namespace

extern const kernel spgemm_csr_hash_openmp;
const kernel spgemm_csr_hash_openmp{
    .id = "spgemm/csr/hash/openmp",
    .summary = "hash table per row; symbolic and numeric phase",
    .reference = "Nagasaka et al. 2018; Gu et al. 2020 (HashSpGEMM)",
    .deterministic = true,
    .consider = consider,
    .prepare = functions::prepare,
    .run = functions::run,
    .spgemm = {.multiply_once_masked = functions::multiply_once_masked}};

}  // namespace gossamer
