// C = alpha A B by rows with Gustavson's sparse accumulator (1978; spa.hpp), columns sorted at the
// end of each row. Sums are added in the order of the multiplications, so results are bitwise
// reproducible for any number of threads.
#include "analysis/saturate.hpp"
#include "base/text.hpp"
#include "kernels/spgemm/accumulators/spa.hpp"
#include "kernels/spgemm/masked/masked_or_plain.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

template <class I, class T>
class spa_maker {
 public:
  spa_maker(extents result, const std::shared_ptr<memory_resource>& source)
      : sums_(result.cols, source) {}

  template <class RowsA, class RowsB>
  index_t count(const RowsA& a, const RowsB& b, index_t row, index_t) {
    for (index_t k = a.begin(row); k < a.end(row); ++k) sums_.mark(b, a.column(k));
    return sums_.count();
  }

  template <class RowsA, class RowsB, class J>
  void write(const RowsA& a, const RowsB& b, index_t row, index_t, J* columns, T* values, T alpha) {
    for (index_t k = a.begin(row); k < a.end(row); ++k) sums_.add(b, a.column(k), a.value(k));
    sums_.take(columns, values, alpha);
  }

  static index_t bytes(const problem& p) { return spa<I, T>::bytes_for(p.result.cols); }

 private:
  spa<I, T> sums_;
};

using functions = row_kernel<spa_maker, row_accumulator::spa>;

verdict consider(const problem& p, const machine& m) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const double flop = static_cast<double>(p.spgemm.flop);
  const index_t arrays = maker_bytes<spa_maker>(p);
  const auto [team, held] = team_within(p, arrays);
  const double clear = costs::stream(static_cast<double>(arrays), m, 1);
  return {
      .possible = true,
      .prepare_seconds =
          p.spgemm.counted ? 0 : costs::symbolic_share * costs::spa_product * flop / team + clear,
      .run_seconds =
          (costs::numeric_share * costs::spa_product + costs::sorted_share * costs::sort_entry) *
              flop / team +
          clear,
      .bytes = (analysis::amount{held} + analysis::amount{gate_bytes(p, team)}).value,
      .because = p.reason([&] {
        return formatted(
            "{} multiplications into one dense accumulator per thread, columns sorted per row{}",
            count_text(p.spgemm.flop), masked_reason(p));
      })};
}

}  // namespace

extern const kernel spgemm_csr_spa_openmp;
const kernel spgemm_csr_spa_openmp{
    .id = "spgemm/csr/spa/openmp",
    .summary = "Gustavson's dense accumulator per row; symbolic and numeric phase",
    .reference = "Gustavson 1978; Gu et al. 2020",
    .deterministic = true,
    .consider = consider,
    .prepare = functions::prepare,
    .run = functions::run,
    .spgemm = {.multiply_once_masked = functions::multiply_once_masked}};

}  // namespace gossamer
