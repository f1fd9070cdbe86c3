// The launch of spmm/csr/strips/cuda, by the number of columns; compiled once per value type.
#pragma once

#include "kernels/spmm/cuda/strip_plan.hpp"
#include "kernels/spmm/operands/dense_arguments.hpp"

namespace gossamer::device {

/// C = alpha A B + beta C for row-major B and C, and 32-bit columns. False, and nothing done, where
/// rows of B or C are not aligned to 16 bytes.
template <class T>
bool multiply_strips(const csr_view<const T>& a, const dense_call<T>& d, const strip_plan& strips,
                     const context& where);

}  // namespace gossamer::device
