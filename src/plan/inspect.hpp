// From operands to a problem: the facts a choice rests on, gathered cheaply.
#pragma once

#include "plan/kernel.hpp"

namespace gossamer {

/// SpMV when the dense operands are single contiguous columns, else SpMM. Operands in normal form.
problem describe_dense(const context&, const operands&, const options&);
problem describe_sparse(const context&, const operands&, const options&);

/// A number that changes when the structure (offsets, indices) of a compressed operand does.
std::uint64_t structure_fingerprint(const operand& a, const operand& b, const context&);

}  // namespace gossamer
