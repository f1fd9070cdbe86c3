// The arguments of y = alpha A x + beta y in the call's own type, and the one way to store a sum.
#pragma once

#include "formats/typed.hpp"
#include "plan/kernel.hpp"

namespace gossamer {

/// alpha * sum + beta * old, where beta = 0 means that `old` is never read.
template <class T>
constexpr T blend(T alpha, T sum, T beta, const T& old) {
  return beta == T{0} ? alpha * sum : alpha * sum + beta * old;
}

template <class T>
struct vector_call {
  T alpha = 1, beta = 0;
  const T* x = nullptr;
  T* y = nullptr;

  constexpr void store(index_t row, T sum) const { y[row] = blend(alpha, sum, beta, y[row]); }
};

template <scalar T>
vector_call<T> vector_arguments(const operands& o) {
  return {alpha_of<T>(o.a), o.beta_as<T>(), view_as<dense_view<const T>>(o.b).values,
          std::get<dense_view<T>>(*o.dense).values};
}

/// f(A as a typed struct, the vector arguments), for a kernel that takes one format.
template <template <class> class View, class F>
void with_vector_call(const operands& o, F&& f) {
  std::visit(
      [&]<class T>(const expression<T>& e) {
        typed(std::get<View<const T>>(e.view),
              [&](const auto& a) { f(a, vector_arguments<T>(o)); });
      },
      o.a);
}

}  // namespace gossamer
