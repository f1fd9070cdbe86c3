// Looking at matrices and comparing them (gossamer/elements.hpp, compare.hpp), and making them of
// triplets and diagonals (assemble.hpp).
#include "../module.hpp"
#include "operations.hpp"

namespace binding {

namespace {

/// The matrix with these triplets, (rows, cols, data, indices, indptr).
py::object from_triplets(const gs::context& where, gs::index_t rows, gs::index_t cols,
                         const py::object& row, const py::object& column,
                         const py::object& values) {
  const auto given = lent(values, "values");
  const auto i = lent_indices(row, "rows"), j = lent_indices(column, "columns");
  if (given.cols != 1 || (given.size() > 1 && given.row_step != 1))
    throw py::value_error("values is not a contiguous vector");
  return with_value_type(given.code, [&]<class T>(std::type_identity<T>) {
    const std::span<const T> elements(static_cast<const T*>(given.data),
                                      static_cast<std::size_t>(given.size()));
    return to_python(without_gil([&] {
                       return gs::detail::assembled<T>(where, {rows, cols}, i, j, elements);
                     }),
                     where);
  });
}

/// The square matrix with these values on its diagonal.
py::object diagonal(const gs::context& where, const py::object& values) {
  const auto given = lent(values, "values");
  if (given.cols != 1 || (given.size() > 1 && given.row_step != 1))
    throw py::value_error("values is not a contiguous vector");
  return with_value_type(given.code, [&]<class T>(std::type_identity<T>) {
    const std::span<const T> elements(static_cast<const T*>(given.data),
                                      static_cast<std::size_t>(given.size()));
    return to_python(without_gil([&] { return gs::diagonal(where, elements); }), where);
  });
}

py::object identity(const gs::context& where, gs::index_t n, char code) {
  return with_value_type(code, [&]<class T>(std::type_identity<T>) {
    return to_python(without_gil([&] { return gs::identity<T>(where, n); }), where);
  });
}

}  // namespace

void define_elements(py::module_& m) {
  using gs::index_t;
  using matrix = matrix_operand;
  define<index_t, index_t>(
      m, "value_at", [](auto&, auto& a, index_t i, index_t j) { return gs::value_at(a, i, j); });
  define<index_t, index_t, bool>(
      m, "spy", [](auto&, auto& a, index_t width, index_t height, bool unicode) {
        return gs::spy(a, {.width = width, .height = height, .unicode = unicode});
      });
  define<matrix>(m, "same", [](auto& on, auto& a, auto& b) { return gs::same(on, a, b); });
  define<matrix, double, double>(m, "allclose",
                                 [](auto& on, auto& a, auto& b, double rtol, double atol) {
                                   return gs::allclose(on, a, b, rtol, atol);
                                 });
  m.def("from_triplets", &from_triplets);
  m.def("diagonal", &diagonal);
  m.def("identity", &identity);
}

}  // namespace binding
