// The arguments of y = alpha A x + beta y in the call's own type, and how a sum is stored.
#pragma once

#include "gossamer/complex.hpp"

namespace gossamer {

/// alpha * sum + beta * old, where beta = 0 means that `old` is never read.
template <class T>
constexpr T blend(T alpha, T sum, T beta, const T& old) {
  return beta == T{0} ? scaled_value(alpha, sum)
                      : scaled_value(alpha, sum) + scaled_value(beta, old);
}

template <class T>
struct vector_call {
  T alpha = 1, beta = 0;
  const T* x = nullptr;
  T* y = nullptr;
  bool conjugated = false;  ///< the conjugate of A; complex values only

  constexpr void store(index_t row, T sum) const { y[row] = blend(alpha, sum, beta, y[row]); }
};

}  // namespace gossamer
