// What every product asks of its operands.
#pragma once

#include "formats/operand.hpp"
#include "gossamer/context.hpp"

namespace gossamer::detail {

void require_same_type(const operand_facts& a, const operand_facts& b, std::string_view b_name);
void require_where(const context& where, const operand_facts& o, std::string_view o_name);
/// Sparse results are made on the host.
void require_host_product(const context& where, const operand_facts& a, const operand_facts& b);
void require_sparse(const operand_facts& o, std::string_view o_name);
void require_inner(const operand_facts& a, const operand_facts& b, std::string_view b_name);

}  // namespace gossamer::detail
