// From operands to a problem: the facts a choice rests on, gathered cheaply.
#pragma once

#include "plan/kernel.hpp"

namespace gossamer {

/// Whether v is a single column with contiguous elements.
template <class T>
bool is_vector(const dense_view<T>& v) {
  return v.shape.cols == 1 && (v.row_step() == 1 || v.shape.rows <= 1);
}

/// The facts that formats, shapes and options give; reads no array.
problem describe_operands(const context&, const operands&, const options&);
/// SpMV when the dense operands are single contiguous columns, else SpMM. Operands in normal form.
problem describe_dense(const context&, const operands&, const options&);
/// SpGEMM: counts the multiplications, unless the operands are on a device, where that would cost a
/// wait: choices there rest on shapes and nonzeros. Operands in normal form.
problem describe_sparse(const context&, const operands&, const options&);
/// The multiplications of a product on a device, for people: waits for a reduction.
void count_for_explanation(problem&, const operands&, const context&);

}  // namespace gossamer
