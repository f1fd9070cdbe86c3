// How an operation of the library becomes a function of the module: one line such as
//
//   define<gs::index_t>(m, "tril", [](auto& on, auto& a, auto k) { return gs::tril(on, a, k); });
//
// names the types of the arguments after the context and the matrix. The operation is compiled for
// every value type; it sees matrices as expressions of that type and lists of indices as spans, and
// runs with the GIL released. Its result is a matrix, a vector, a number, a truth or a text.
#pragma once

#include <span>
#include <string>

#include "../operands.hpp"

namespace binding {

/// Indices from Python: contiguous, of 64 bits.
using index_list = py::array_t<std::int64_t, py::array::c_style>;

/// An argument as an operation on values of type T takes it.
template <class T, class Given>
const Given& as_argument(const Given& given) {
  return given;
}
template <class T>
const gs::expression<T>& as_argument(const matrix_operand& given) {
  const auto* const same = std::get_if<gs::expression<T>>(&given.view);
  if (same == nullptr)
    throw py::type_error("the operands hold different types of values; convert one of them");
  return *same;
}
template <class T>
std::span<const std::int64_t> as_argument(const index_list& given) {
  return {given.data(), static_cast<std::size_t>(given.size())};
}

/// A matrix as (rows, cols, data, indices, indptr), over the library's memory.
template <class T>
py::object to_python(gs::csr_matrix<T>&& matrix, const gs::context& where) {
  return lend_with_shape(std::move(matrix), where);
}
/// A vector as a NumPy array or a device_array, over the library's memory.
template <class T>
py::object to_python(gs::vector<T>&& values, const gs::context& where) {
  return lend_vector(std::move(values), where);
}
/// Numbers, truths and texts.
template <class Value>
py::object to_python(Value&& value, const gs::context&) {
  return py::cast(std::forward<Value>(value));
}

/// f() with the GIL released.
template <class F>
auto without_gil(F&& f) {
  const py::gil_scoped_release released;
  return f();
}

/// name(context, matrix, arguments...), for every value type of the matrix.
template <class... Arguments, class F>
void define(py::module_& m, const char* name, F operation) {
  m.def(name, [operation](const gs::context& where, const matrix_operand& a,
                          const Arguments&... rest) {
    return std::visit(
        [&]<class T>(const gs::expression<T>& e) {
          const std::tuple<decltype(as_argument<T>(rest))...> arguments(as_argument<T>(rest)...);
          return to_python(
              without_gil([&] {
                return std::apply(
                    [&](const auto&... given) { return operation(where, e, given...); }, arguments);
              }),
              where);
        },
        a.view);
  });
}

}  // namespace binding
