// C = alpha A B by rows with Gustavson's sparse accumulator (1978): a dense array of sums, an array
// that tells in which row a column was seen last, and a list of the row's columns, which is sorted
// at the end. Nothing is cleared between rows. Sums grow in the order of the products, so the bits
// do not depend on threads.
#include <algorithm>

#include "base/text.hpp"
#include "kernels/shared/row_phases.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

template <class I, class T>
class spa_maker {
 public:
  spa_maker(extents result, const std::shared_ptr<memory_resource>& source)
      : sums_(result.cols, source), seen_(result.cols, source) {
    std::fill_n(seen_.data(), seen_.size(), index_t{-1});
  }

  template <class RowsA, class RowsB>
  index_t count(const RowsA& a, const RowsB& b, index_t row, index_t) {
    index_t found = 0;
    for (index_t k = a.begin(row); k < a.end(row); ++k)
      for (index_t q = b.begin(a.column(k)); q < b.end(a.column(k)); ++q) {
        index_t& last = seen_[b.column(q)];
        found += last != row;
        last = row;
      }
    return found;
  }

  template <class RowsA, class RowsB, class J>
  void write(const RowsA& a, const RowsB& b, index_t row, index_t entries, J* columns, T* values,
             T alpha) {
    index_t found = 0;
    for (index_t k = a.begin(row); k < a.end(row); ++k) {
      const T factor = a.value(k);
      for (index_t q = b.begin(a.column(k)); q < b.end(a.column(k)); ++q) {
        const index_t column = b.column(q);
        const T product = factor * b.value(q);
        if (seen_[column] == row) {
          sums_[column] += product;
        } else {
          seen_[column] = row;
          sums_[column] = T{0} + product;
          columns[found++] = static_cast<J>(column);
        }
      }
    }
    std::sort(columns, columns + entries);
    for (index_t k = 0; k < entries; ++k)
      values[k] = alpha * sums_[static_cast<index_t>(columns[k])];
  }

  static index_t bytes(const problem& p) {
    return p.result.cols * index_t{sizeof(T) + sizeof(index_t)};
  }

 private:
  buffer<T> sums_;
  buffer<index_t> seen_;
};

verdict consider(const problem& p, const machine& m) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const double flop = static_cast<double>(p.flop);
  const index_t arrays = maker_bytes<spa_maker>(p);
  const auto [team, held] = team_within(p, arrays);
  const double clear = costs::stream(static_cast<double>(arrays), m, 1);
  return {.possible = true,
          .prepare_seconds = p.counted ? 0 : 0.4 * costs::spa_product * flop / team + clear,
          .run_seconds = (0.6 * costs::spa_product + 0.5 * costs::sort_entry) * flop / team + clear,
          .bytes = held,
          .because = formatted("{} products by a dense array per thread, columns sorted row by row",
                               count_text(p.flop))};
}

}  // namespace

extern const kernel spgemm_csr_spa_openmp;
const kernel spgemm_csr_spa_openmp{
    .id = "spgemm/csr/spa/openmp",
    .summary = "rows by Gustavson's dense accumulator, two phases, sorted output",
    .reference = "Gustavson 1978; Gu et al. 2020",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare_rows<spa_maker>,
    .run = run_rows<spa_maker>};

}  // namespace gossamer
