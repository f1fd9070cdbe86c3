// C = alpha A B by rows with one hash table per thread that is probed with vector compares
// (HashVecSpGEMM, Nagasaka et al. 2018): one comparison replaces up to 16 probes, so collisions
// cost little. Two phases and sorted output, as in csr_hash. The vectors are the widest this
// processor has; every row is summed in the order of its multiplications, so results are bitwise
// reproducible for any vectors and any number of threads.
#include <algorithm>

#include "kernels/spgemm/accumulators/hash_table.hpp"
#include "kernels/spgemm/frame/table_products.hpp"
#include "kernels/spgemm/frame/two_phases.hpp"
#include "kernels/spgemm/hashvec/bucket_table.hpp"

namespace gossamer {

namespace {

template <class I, class T>
class hashvec_maker {
 public:
  hashvec_maker(extents result, const std::shared_ptr<memory_resource>& source)
      : result_(result), short_rows_(source), long_rows_(source) {}

  template <class RowsA, class RowsB>
  index_t count(const RowsA& a, const RowsB& b, index_t row, index_t products) {
    const index_t most = std::min(products, result_.cols);
    return with_table(most, [&](auto& table) {
      table.reserve(most);
      touch_row(table, a, b, row, a.end(result_.rows - 1));
      const index_t found = table.count();
      table.forget();
      return found;
    });
  }

  template <class RowsA, class RowsB, class J>
  void write(const RowsA& a, const RowsB& b, index_t row, index_t entries, J* columns, T* values,
             T alpha) {
    with_table(entries, [&](auto& table) {
      table.reserve(entries);
      add_row(table, a, b, row, a.end(result_.rows - 1));
      table.take(columns, values, alpha);
    });
  }

  static index_t bytes(const problem& p) {
    const index_t longest = longest_row_of(p);
    return hash_table<I, T>::bytes_for(std::min(longest, longest_short_row)) +
           (longest > longest_short_row ? bucket_table<I, T>::bytes_for(longest) : 0);
  }

 private:
  /// Rows of few nonzeros rarely collide and gain nothing from vectors. Not measured.
  static constexpr index_t longest_short_row = 32;

  template <class F>
  auto with_table(index_t entries, F&& f) {
    return entries <= longest_short_row ? f(short_rows_) : f(long_rows_);
  }

  extents result_;
  hash_table<I, T> short_rows_;
  bucket_table<I, T> long_rows_;
};

verdict consider(const problem& p, const machine&) {
  return consider_table(p, costs::hashvec_product, maker_bytes<hashvec_maker>(p),
                        "probed with vector compares");
}

}  // namespace

extern const kernel spgemm_csr_hashvec_openmp;
const kernel spgemm_csr_hashvec_openmp{
    .id = "spgemm/csr/hashvec/openmp",
    .summary = "hash table per row, probed with vector compares; symbolic and numeric phase",
    .reference = "Nagasaka et al. 2018 (HashVecSpGEMM)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare_rows<hashvec_maker>,
    .run = run_rows<hashvec_maker>};

}  // namespace gossamer
