// The checks of a product with a dense result, and its operands as kernels take them.
#pragma once

#include "plan/kernel.hpp"

namespace gossamer::detail {

/// A call ready to run: operands in normal form, beta on the output itself.
template <class T>
struct checked_call {
  gossamer::operands operands;
  bool skip_product = false;  ///< alpha = 0
  /// The conjugate of x, where that was asked for: kernels take dense operands as they are.
  std::shared_ptr<const dense_matrix<T>> conjugate = {};
};

/// Checks everything that can be wrong, folds the scale of x into A and copies z into y unless it
/// is y. `z` may be null. Dense times sparse becomes the transposed product, over the same arrays.
/// For every value type.
template <class T>
checked_call<T> check_dense(const context& where, const operand& a, const operand& x,
                            const operand* z, const dense_view<T>& y);

}  // namespace gossamer::detail
