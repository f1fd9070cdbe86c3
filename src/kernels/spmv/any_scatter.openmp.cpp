// Any format, any order, transposed or not: each thread adds its share of the nonzeros into a
// private y, and these are added row by row. For operands that are not stored by rows: CSC (a
// transposed CSR), unsorted COO, transposed padded formats. Results depend on the number of
// threads.
#include "kernels/common/sparse_argument.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

template <class T, class A>
void multiply_alone(const A& a, bool transposed, const vector_call<T>& v, index_t rows) {
  for (index_t i = 0; i < rows; ++i) v.store(i, 0);
  for_each_entry_part(a, transposed, 0, 1, [&](index_t i, index_t j, T value) {
    v.y[i] += times(conjugated_if(v.conjugated, value), times(v.alpha, v.x[j]));
  });
}

template <class T, class A>
void multiply(const A& a, bool transposed, const vector_call<T>& v, index_t rows,
              const context& where, int threads) {
  buffer<T> copies(rows * threads, where.memory());
  int members = 1;
  parallel(threads, [&](int thread, int team) {
    if (thread == 0) members = team;
    T* mine = copies.data() + rows * thread;
    std::fill_n(mine, rows, T{0});
    for_each_entry_part(a, transposed, thread, team, [&](index_t i, index_t j, T value) {
      mine[i] += times(conjugated_if(v.conjugated, value), v.x[j]);
    });
  });
  parallel_ranges(threads, rows, 4096, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) {
      T sum = copies[i];
      for (int m = 1; m < members; ++m) sum += copies[rows * m + i];
      v.store(i, sum);
    }
  });
}

void run(const state&, const operands& o, const context& where) {
  std::visit(
      [&]<class T>(const expression<T>&) {
        const auto v = vector_arguments<T>(o);
        const auto about = facts(o.a);
        const int threads = costs::useful_threads(costs::sparse_bytes(about), where.threads());
        with_any_sparse<T>(o.a, [&](const auto& a, bool transposed) {
          if (threads == 1)
            multiply_alone(a, transposed, v, about.shape.rows);
          else
            multiply(a, transposed, v, about.shape.rows, where, threads);
        });
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format == format::csr)
    return {.because = "CSR is stored by rows: rows and merge are faster"};
  const int team = costs::useful_threads(costs::sparse_bytes(p.a), p.threads);
  const double copies = costs::dense_bytes(p.result, p.a.values) * (team > 1 ? 2 * team : 1);
  const double compute = costs::scatter_entry * static_cast<double>(p.a.places);
  return {
      .possible = true,
      .run_seconds = costs::seconds(costs::dense_product_bytes(p) + copies, compute, m, p.threads),
      .bytes = p.result.rows * gossamer::bytes(p.a.values) * p.threads,
      .because = "not stored by rows: one private y per thread, added at the end"};
}

}  // namespace

extern const kernel spmv_any_scatter_openmp;
const kernel spmv_any_scatter_openmp{
    .id = "spmv/any/scatter/openmp",
    .summary = "one private y per thread, added at the end; any format, transposed or not",
    .reference = "the usual privatisation",
    .deterministic = false,
    .consider = consider,
    .run = run,
    .values = taken_values::all};

}  // namespace gossamer
