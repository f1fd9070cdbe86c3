// The arguments of C = alpha A B + beta C with dense B and C.
#pragma once

#include "kernels/common/vector_arguments.hpp"

namespace gossamer {

template <class T>
struct dense_call {
  T alpha = 1, beta = 0;
  dense_view<const T> b;
  dense_view<T> c;
  bool conjugated = false;  ///< the conjugate of A; complex values only
  index_t columns() const { return c.shape.cols; }
};

template <scalar T>
dense_call<T> dense_arguments(const operands& o) {
  return {alpha_of<T>(o.a), o.beta_as<T>(), view_as<dense_view<const T>>(o.b),
          std::get<dense_view<T>>(*o.dense), std::get<expression<T>>(o.a).conjugated};
}

}  // namespace gossamer
