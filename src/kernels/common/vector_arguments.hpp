// Converts the operands of a kernel to the arguments of y = alpha A x + beta y.
#pragma once

#include "formats/typed.hpp"
#include "plan/kernel.hpp"
#include "plan/vector_call.hpp"

namespace gossamer {

template <scalar T>
vector_call<T> vector_arguments(const operands& o) {
  return {alpha_of<T>(o.a), o.beta_as<T>(), view_as<dense_view<const T>>(o.b).values,
          std::get<dense_view<T>>(*o.dense).values, std::get<expression<T>>(o.a).conjugated};
}

/// Calls f(A as a typed struct, the vector arguments), for a kernel of one format and real values.
template <template <class> class View, class F>
void with_vector_call(const operands& o, F&& f) {
  visit_real(
      [&]<class T>(const expression<T>& e) {
        typed(std::get<View<const T>>(e.view),
              [&](const auto& a) { f(a, vector_arguments<T>(o)); });
      },
      o.a);
}
/// The same for a kernel of all values.
template <template <class> class View, class F>
void with_any_vector_call(const operands& o, F&& f) {
  std::visit(
      [&]<class T>(const expression<T>& e) {
        typed(std::get<View<const T>>(e.view),
              [&](const auto& a) { f(a, vector_arguments<T>(o)); });
      },
      o.a);
}

}  // namespace gossamer
