// Any format times dense, transposed or not: each thread owns some columns of C and reads all of A,
// so that nothing is shared and every element is summed in storage order.
#include "base/parallel.hpp"
#include "kernels/common/sparse_argument.hpp"
#include "kernels/spmm/operands/dense_arguments.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

constexpr index_t panel = 16;  // columns per piece: two cache lines of doubles; not measured

template <class T, class A>
void multiply_columns(const A& a, bool transposed, const dense_call<T>& d, range columns) {
  const index_t width = columns.end - columns.begin, rows = d.c.shape.rows;
  buffer<T> sums(rows * width);
  std::fill_n(sums.data(), sums.size(), T{0});
  const index_t step = d.b.col_step();
  for_each_entry_part(a, transposed, 0, 1, [&](index_t i, index_t j, T value) {
    const T* b = &d.b(j, columns.begin);
    T* sum = sums.data() + i * width;
    const T factor = conjugated_if(d.conjugated, value);
    for (index_t k = 0; k < width; ++k) sum[k] += times(factor, b[k * step]);
  });
  for (index_t i = 0; i < rows; ++i)
    for (index_t k = 0; k < width; ++k) {
      T& c = d.c(i, columns.begin + k);
      c = blend(d.alpha, sums[i * width + k], d.beta, c);
    }
}

void run(const state&, const operands& o, const context& where) {
  std::visit(
      [&]<class T>(const expression<T>&) {
        const auto d = dense_arguments<T>(o);
        const index_t n = d.columns(), panels = (n + panel - 1) / panel;
        const double bytes = costs::sparse_bytes(facts(o.a)) * static_cast<double>(n);
        with_any_sparse<T>(o.a, [&](const auto& a, bool transposed) {
          parallel_chunks(costs::useful_threads(bytes, where.threads()), panels, [&](index_t p) {
            multiply_columns(a, transposed, d, {p * panel, std::min(n, (p + 1) * panel)});
          });
        });
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  const index_t panels = (p.result.cols + panel - 1) / panel;
  const int team = static_cast<int>(std::min<index_t>(p.threads, std::max<index_t>(panels, 1)));
  const double work = static_cast<double>(p.a.places) * static_cast<double>(p.result.cols);
  const double bytes = costs::dense_product_bytes(p) +
                       costs::sparse_bytes(p.a) * static_cast<double>(panels) +
                       2 * costs::dense_bytes(p.result, p.a.values);
  return {
      .possible = true,
      .run_seconds =
          costs::seconds(bytes, work * costs::column_entry * costs::entry_compute, m, team),
      .bytes = p.result.rows * panel * gossamer::bytes(p.a.values) * team,
      .because = "each thread owns columns of C and reads all of A; any format, transposed or not"};
}

}  // namespace

extern const kernel spmm_any_columns_openmp;
const kernel spmm_any_columns_openmp{
    .id = "spmm/any/columns/openmp",
    .summary = "each thread owns panels of columns of C and reads all of A; any format",
    .reference = "owner computes",
    .deterministic = true,
    .consider = consider,
    .run = run,
    .values = taken_values::all};

}  // namespace gossamer
