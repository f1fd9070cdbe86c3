// C = alpha A B by rows with one hash table per thread (Nagasaka et al. 2018), sorted output: the
// symbolic phase counts the columns of a row in the table, the numeric phase sums there, sorts the
// columns together with their slots and reads the sums in that order. Every row is summed in the
// order of its multiplications, so results are bitwise reproducible for any number of threads.
#include "kernels/spgemm/frame/hash_rows.hpp"
#include "kernels/spgemm/masked/masked_or_plain.hpp"

namespace gossamer {

namespace {

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
