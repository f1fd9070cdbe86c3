// Products of a matrix and a vector or block of a wider type: float and double, real and complex.
#pragma once

#include "gossamer/multiply.hpp"

namespace gossamer::detail {

/// Whether the values of A are of a narrower type than those of y: float below double, real below
/// complex, all of whose values the wider one has.
bool widens(const operand& a, const dense_target& y);

/// y = A x + z, where x, y and z have one type and A a narrower one: each value of A is widened
/// when it is read. On CPUs, without a plan; rows of CSR are read in place, other operands are
/// converted to them first. Sums are in the order of storage, the same for any number of threads.
void multiply_widened(const context& where, const operand& a, const operand& x, const operand* z,
                      const dense_target& y, const options& how);

}  // namespace gossamer::detail
