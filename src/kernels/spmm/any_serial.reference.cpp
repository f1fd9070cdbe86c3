// The specification of C = alpha A B + beta C with dense B and C, for every format and layout.
#include <vector>

#include "kernels/common/sparse_argument.hpp"
#include "kernels/spmm/operands/dense_arguments.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

template <class T, class A>
void multiply(const A& a, bool transposed, const dense_call<T>& d) {
  const index_t n = d.columns();
  buffer<T> sums(d.c.shape.rows * n);
  std::fill_n(sums.data(), sums.size(), T{0});
  for_each_entry_part(a, transposed, 0, 1, [&](index_t i, index_t j, T value) {
    const T factor = conjugated_if(d.conjugated, value);
    for (index_t k = 0; k < n; ++k) sums[i * n + k] += times(factor, d.b(j, k));
  });
  for (index_t i = 0; i < d.c.shape.rows; ++i)
    for (index_t k = 0; k < n; ++k) d.c(i, k) = blend(d.alpha, sums[i * n + k], d.beta, d.c(i, k));
}

void run(const state&, const operands& o, const context&) {
  std::visit(
      [&]<class T>(const expression<T>&) {
        with_any_sparse<T>(o.a, [&](const auto& a, bool transposed) {
          multiply(a, transposed, dense_arguments<T>(o));
        });
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  const double work = static_cast<double>(p.a.places) * static_cast<double>(p.result.cols);
  return {.possible = true,
          .run_seconds = costs::seconds(costs::dense_product_bytes(p),
                                        costs::reference_entry * costs::entry_compute * work, m, 1),
          .bytes = static_cast<index_t>(costs::dense_bytes(p.result, p.a.values)),
          .because = "serial reference code, the specification of this product"};
}

}  // namespace

extern const kernel spmm_any_serial_reference;
const kernel spmm_any_serial_reference{
    .id = "spmm/any/serial/reference",
    .summary = "serial loop: each stored element times a row of B; any format and layout",
    .reference = "the definition",
    .deterministic = true,
    .consider = consider,
    .run = run,
    .values = taken_values::all};

}  // namespace gossamer
