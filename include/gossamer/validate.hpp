// Checks on request. Kernels trust their operands; files and foreign arrays are checked here.
#pragma once

#include <string>

#include "gossamer/context.hpp"
#include "gossamer/operand.hpp"

namespace gossamer {

/// What the indices of a matrix look like. `valid` false: `problem` says what is wrong and where.
struct structure_report {
  bool valid = true;
  bool sorted = true;  ///< ascending within each row (column for CSC; row, then column for COO)
  bool unique = true;  ///< no duplicates (found even when unsorted)
  std::string problem = {};
};

/// Ranges, monotone offsets, array sizes, sortedness, duplicates. Without a context: host memory
/// only. With one, a matrix on its device is looked at there; one that is not in order is copied to
/// the host, which finds the words.
template <multipliable A>
structure_report inspect_structure(const A& a);
template <multipliable A>
structure_report inspect_structure(const context& where, const A& a);

struct requirements {
  bool sorted = false;
  bool unique = false;
};

/// Throws error(bad_input) naming `operand_name`, its size and the first offence.
template <multipliable A>
void validate(const A& a, requirements wanted = {}, std::string_view operand_name = "matrix");
template <multipliable A>
void validate(const context& where, const A& a, requirements wanted = {},
              std::string_view operand_name = "matrix");

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
