// A product on a device through a CSR copy of A: the best of some CSR kernels multiplies. The plan
// keeps the copy if values are promised to be constant; else every run converts again.
#pragma once

#include "plan/kernel.hpp"

namespace gossamer::device {

/// `kernels` take CSR and are of one operation, which is that of the problem.
state prepare_converted(const problem&, const operands&, const context&, catalogue kernels);
void run_converted(const state& prepared, const operands&, const context&, catalogue kernels);

/// The problem with A in CSR, for what its product would take.
problem as_rows(const problem&);
/// The verdict on a product through a copy: seconds of a product with A in CSR, and of
/// the conversion.
verdict consider_converted(const problem&, double product, double conversion);

/// Prepares one of `kernels` for A replaced by `rows`; its run takes operands from with_rows.
struct chosen_for_rows {
  const kernel* by = nullptr;
  state prepared;
};
chosen_for_rows prepare_rows(const operands& with_rows, const options&, const context&,
                             catalogue kernels);

/// The operands with A replaced by CSR that is not transposed; alpha is still the caller's.
template <class T>
operands with_rows(operands o, const csr_view<const T>& rows) {
  auto& e = std::get<expression<T>>(o.a);
  e.view = rows;
  e.transposed = false;
  return o;
}

}  // namespace gossamer::device
