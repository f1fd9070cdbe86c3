// What every product asks of its operands.
#pragma once

#include <array>

#include "plan/describe_problem.hpp"
#include "plan/implementation.hpp"

namespace gossamer::detail {

void require_same_type(const operand_facts& a, const operand_facts& b, std::string_view b_name);
void require_where(const context& where, const operand_facts& o, std::string_view o_name);
/// multiply and multiply_compute allocate and wait, which a captured stream cannot.
void require_not_captured(const context& where);
void require_sparse(const operand_facts& o, std::string_view o_name);
void require_inner(const operand_facts& a, const operand_facts& b, std::string_view b_name);

/// Validates an operand on a device where GOSSAMER_VALIDATE asks for it; checked_form does so on
/// the host.
void validate_on_device(const context& where, const operand& o, std::string_view o_name);

/// Operands in normal form are those of the plan, all but addresses and values.
void require_planned(const problem& planned, const operand& a, const operand& b);
/// A plan that keeps the values of A, on the promise that they stay, takes no other matrix. For
/// operands in normal form.
void require_promised(const plan::implementation& plan, const operand& a);
/// The addresses of the values and of the first index array of an operand in normal form.
std::array<const void*, 2> addresses_of(const operand& a);
/// A plan for vectors takes no columns of wider blocks; a plan for blocks on a device takes the
/// layouts it was made for.
template <class T>
void require_planned_vectors(const problem& planned, const dense_view<const T>& x,
                             const dense_view<T>& y);

}  // namespace gossamer::detail
