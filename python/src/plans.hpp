// Plans of products.
#pragma once

#include <optional>

#include "operands.hpp"

namespace binding {

/// A prepared product with the operands it was prepared for.
struct product_plan {
  gs::plan plan;
  gs::context where;
  gs::options how;      ///< without the mask, which the library's plan keeps itself
  matrix_operand a, b;  ///< of a dense result, one of them is an example
  bool sparse_result = false;
  bool dense_first = false;  ///< B A with a dense B
  int dimensions = 2;        ///< of the dense operand: 1 for a vector

  const matrix_operand& matrix() const { return dense_first ? b : a; }
  matrix_operand& matrix() { return dense_first ? b : a; }
};

}  // namespace binding
