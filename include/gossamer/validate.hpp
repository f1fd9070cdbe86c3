// Validation of matrices. Kernels trust their operands; check foreign arrays here. Readers of files
// validate on their own.
#pragma once

#include <string>

#include "gossamer/context.hpp"
#include "gossamer/operand.hpp"

namespace gossamer {

/// Result of checking the indices of a matrix. When `valid` is false, `problem` says what is wrong
/// and where.
struct structure_report {
  bool valid = true;
  bool sorted = true;  ///< ascending within each row (column for CSC; row, then column for COO)
  bool unique = true;  ///< no duplicates (found even when unsorted)
  std::string problem = {};
};

/// Checks array sizes, monotone offsets, ranges of the indices, sortedness and duplicates. O(nnz).
/// Without a context: host memory only. With a context, a matrix on its device is checked there; a
/// broken one is copied to the host, which words the report.
template <multipliable A>
structure_report inspect_structure(const A& a);
template <multipliable A>
structure_report inspect_structure(const context& where, const A& a);

/// What validate demands beyond valid indices.
struct requirements {
  bool sorted = false;
  bool unique = false;
};

/// Throws error(bad_input) naming `operand_name`, its size and the first violation.
template <multipliable A>
void validate(const A& a, requirements wanted = {}, std::string_view operand_name = "matrix");
template <multipliable A>
void validate(const context& where, const A& a, requirements wanted = {},
              std::string_view operand_name = "matrix");

/// True if the environment variable GOSSAMER_VALIDATE is set to 1: every operand of every call is
/// then validated before it is used. Read once per process.
bool validates_operands();

namespace detail {
structure_report inspect_structure(const context&, const operand&);
void validate(const context&, const operand&, requirements, std::string_view operand_name);
structure_report inspect_structure(const operand&);
void validate(const operand&, requirements, std::string_view operand_name);
}  // namespace detail

template <multipliable A>
structure_report inspect_structure(const A& a) {
  return detail::inspect_structure(express(a));
}
template <multipliable A>
structure_report inspect_structure(const context& where, const A& a) {
  return detail::inspect_structure(where, express(a));
}
template <multipliable A>
void validate(const context& where, const A& a, requirements wanted,
              std::string_view operand_name) {
  detail::validate(where, express(a), wanted, operand_name);
}
template <multipliable A>
void validate(const A& a, requirements wanted, std::string_view operand_name) {
  detail::validate(express(a), wanted, operand_name);
}

}  // namespace gossamer
