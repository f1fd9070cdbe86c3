// Any format, bitwise reproducible for any number of threads: each thread owns a range of y, reads
// all nonzeros and adds those of its rows. Every row is summed in storage order, as in the
// reference; the price is that A is read once per thread.
#include "kernels/common/sparse_argument.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "plan/spmv_costs.hpp"

namespace gossamer {

namespace {

template <class T, class A>
void multiply(const A& a, bool transposed, const vector_call<T>& v, range owned) {
  buffer<T> sums(owned.end - owned.begin);
  std::fill_n(sums.data(), sums.size(), T{0});
  for_each_entry_part(a, transposed, 0, 1, [&](index_t i, index_t j, T value) {
    if (i >= owned.begin && i < owned.end)
      sums[i - owned.begin] += times(conjugated_if(v.conjugated, value), v.x[j]);
  });
  for (index_t i = owned.begin; i < owned.end; ++i) v.store(i, sums[i - owned.begin]);
}

void run(const state&, const operands& o, const context& where) {
  std::visit(
      [&]<class T>(const expression<T>&) {
        const auto v = vector_arguments<T>(o);
        const auto about = facts(o.a);
        const int threads = costs::useful_threads(costs::sparse_bytes(about), where.threads());
        with_any_sparse<T>(o.a, [&](const auto& a, bool transposed) {
          parallel_ranges(threads, about.shape.rows, 1, [&](index_t begin, index_t end) {
            multiply(a, transposed, v, {begin, end});
          });
        });
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  const int team = costs::useful_threads(costs::sparse_bytes(p.a), p.threads);
  const double compute =
      std::max(costs::scatter_entry * static_cast<double>(p.a.places) + costs::x_seconds(p, m),
               p.a.format == format::csr ? costs::rows_compute(p, m) : 0.0) *
      team;
  const double bytes = costs::dense_product_bytes(p) + costs::sparse_bytes(p.a) * (team - 1);
  return {.possible = true,
          .run_seconds = costs::owner_overhead * costs::seconds(bytes, compute, m, p.threads),
          .bytes = p.result.rows * gossamer::bytes(p.a.values),
          .because = "each thread reads all of A and adds only its own rows: bitwise reproducible"};
}

}  // namespace

extern const kernel spmv_any_owner_openmp;
const kernel spmv_any_owner_openmp{
    .id = "spmv/any/owner/openmp",
    .summary = "each thread owns rows of y and reads all of A; any format, transposed or not",
    .reference = "owner computes",
    .deterministic = true,
    .consider = consider,
    .run = run,
    .values = taken_values::all};

}  // namespace gossamer
