// C = alpha A B of complex values by rows, in one pass: a row is summed in a dense accumulator with
// a bitmap of its columns (bitmap_spa.hpp), or in a hash table where C has so many columns that
// clearing an accumulator would cost more than the product; masks and filters apply before a row is
// stored. Under a memory limit rows, counted before, are summed in hash tables straight into C.
// Rows are summed in the order of their multiplications, so results are bitwise reproducible for
// any number of threads. This is the one kernel for complex values: docs/adr/0011 says why.
#include "analysis/saturate.hpp"
#include "base/text.hpp"
#include "kernels/spgemm/accumulators/bitmap_spa.hpp"
#include "kernels/spgemm/frame/hash_rows.hpp"
#include "kernels/spgemm/masked/masked_rows.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

/// Bytes of an accumulator per multiplication up to which it is cheaper to clear one than to search
/// a hash table: those that a thread writes in the time of a few insertions. Not measured.
constexpr index_t cleared_bytes = 64;

index_t dense_bytes(const problem& p) {
  return bitmap_spa<index_t, std::complex<double>>::bytes_for(p.result.cols);
}

row_accumulator accumulator_for(const problem& p) {
  const bool affordable = dense_bytes(p) / cleared_bytes <= std::max<index_t>(p.spgemm.flop, 1024);
  return affordable ? row_accumulator::bitmap : row_accumulator::hash;
}

state prepare(const problem& p, const operands& o, const context& where) {
  return o.counted ? prepare_rows<hash_maker, taken_values::complex>(p, o, where)
                   : prepare_masked(accumulator_for(p), p, o, where);
}

void run(const state& prepared, const operands& o, const context& where) {
  prepared.spgemm.masked ? run_masked(prepared, o, where)
                         : run_rows<hash_maker, taken_values::complex>(prepared, o, where);
}

csr_result in_one_pass(const problem& p, const operands& o, const context& where) {
  return multiply_once_masked(accumulator_for(p), p, o, where);
}

verdict consider(const problem& p, const machine& m) {
  const index_t each = maker_bytes<hash_maker, taken_values::complex>(p);
  const bool dense = accumulator_for(p) == row_accumulator::bitmap && !p.spgemm.counted;
  verdict v =
      consider_table(p, dense ? costs::adaptive_product : costs::hash_product, each, "per thread");
  if (!v.possible) return v;
  if (dense) {
    const int team = team_for_products(p.spgemm.flop, p.threads);
    v.bytes = bytes_of_team(p, team, dense_bytes(p));
    v.run_seconds += costs::stream(static_cast<double>(dense_bytes(p)), m, 1);
    v.because = p.reason([&] {
      return formatted(
          "{} multiplications of complex values in one pass, rows accumulated under a "
          "bitmap",
          count_text(p.spgemm.flop));
    });
  }
  v.bytes = (analysis::amount{v.bytes} +
             analysis::amount{gate_bytes(p, team_for_products(p.spgemm.flop, p.threads))})
                .value;
  v.because += masked_reason(p);
  return v;
}

}  // namespace

extern const kernel spgemm_csr_rows_openmp;
const kernel spgemm_csr_rows_openmp{
    .id = "spgemm/csr/rows/openmp",
    .summary = "complex values: a dense accumulator with bitmap or a hash table per row, one pass",
    .reference = "Gustavson 1978; Nagasaka et al. 2018",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .spgemm = {.multiply_once = in_one_pass, .multiply_once_masked = in_one_pass},
    .values = taken_values::complex};

}  // namespace gossamer
