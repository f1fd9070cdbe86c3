// The specification of y = alpha A x + beta y, for every format: each stored element once, in
// storage order. formats/entries.hpp enumerates the elements of a format.
#include <vector>

#include "formats/entries.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

template <class T, class View>
void multiply(const View& a, bool transposed, const vector_call<T>& v, index_t rows) {
  std::vector<T> sums(static_cast<std::size_t>(rows));
  for_each_entry(a, [&](index_t i, index_t j, T value) {
    if (transposed) std::swap(i, j);
    sums[static_cast<std::size_t>(i)] += times(conjugated_if(v.conjugated, value), v.x[j]);
  });
  for (index_t i = 0; i < rows; ++i) v.store(i, sums[static_cast<std::size_t>(i)]);
}

void run(const state&, const operands& o, const context&) {
  std::visit(
      [&]<class T>(const expression<T>& e) {
        std::visit(
            [&]<class View>(const View& a) {
              if constexpr (!std::same_as<View, dense_view<const T>>)
                multiply(a, e.transposed, vector_arguments<T>(o), facts(o.a).shape.rows);
            },
            e.view);
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  const double bytes = costs::dense_product_bytes(p);
  return {
      .possible = true,
      .run_seconds = costs::seconds(
          bytes, costs::reference_entry * costs::entry_compute * static_cast<double>(p.a.places), m,
          1),
      .bytes = p.result.rows * gossamer::bytes(p.a.values),
      .because = "serial reference code, the specification of this product"};
}

}  // namespace

extern const kernel spmv_any_serial_reference;
const kernel spmv_any_serial_reference{
    .id = "spmv/any/serial/reference",
    .summary = "serial loop over the stored elements, in storage order; any format",
    .reference = "the definition",
    .deterministic = true,
    .consider = consider,
    .run = run,
    .values = taken_values::all};

}  // namespace gossamer
