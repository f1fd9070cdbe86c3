// Parts, sums and rearrangements of matrices: gossamer/structure.hpp and the structural operations
// of gossamer/convert.hpp, one line each.
#include "../module.hpp"
#include "operations.hpp"

namespace binding {

namespace {

gs::reduction reduction_named(const std::string& wanted) {
  using enum gs::reduction;
  const std::pair<const char*, gs::reduction> known[] = {
      {"sum", sum}, {"1", norm1}, {"2", norm2}, {"max", norm_max}};
  for (const auto& [name, what] : known)
    if (wanted == name) return what;
  throw gs::error(gs::error_kind::bad_argument,
                  "there is no norm '" + wanted + "'; there are 1, 2 and max");
}

/// alpha A + beta B; None is 1.
py::object added(const gs::context& where, const matrix_operand& a, const matrix_operand& b,
                 const py::object& alpha, const py::object& beta) {
  const auto left = scaled(a, alpha);
  auto other = b;
  other.view = scaled(b, beta);
  return std::visit(
      [&]<class T>(const gs::expression<T>& e) {
        const auto& second = as_argument<T>(other);
        return to_python(without_gil([&] { return gs::add(where, e, second); }), where);
      },
      left);
}

}  // namespace

void define_structure(py::module_& m) {
  using gs::index_t;
  using matrix = matrix_operand;
  using text = std::string;
  define(m, "transpose", [](auto& on, auto& a) { return gs::transpose(on, a); });
  define(m, "sort_columns", [](auto& on, auto& a) { return gs::sort_columns(on, a); });
  define(m, "sum_duplicates", [](auto& on, auto& a) { return gs::sum_duplicates(on, a); });
  define(m, "drop_zeros", [](auto& on, auto& a) { return gs::drop_zeros(on, a); });
  define(m, "symmetrise", [](auto& on, auto& a) { return gs::symmetrise(on, a); });
  define<double, index_t>(m, "keep", [](auto& on, auto& a, double magnitude, index_t largest) {
    return gs::keep(on, a, {.magnitude = magnitude, .largest = largest});
  });
  define<matrix>(m, "scale_rows",
                 [](auto& on, auto& a, auto& d) { return gs::scale_rows(on, a, d); });
  define<matrix>(m, "scale_columns",
                 [](auto& on, auto& a, auto& d) { return gs::scale_columns(on, a, d); });
  define<text>(m, "reduce_rows", [](auto& on, auto& a, const text& what) {
    return gs::reduce_rows(on, a, reduction_named(what));
  });
  define<text>(m, "reduce_columns", [](auto& on, auto& a, const text& what) {
    return gs::reduce_columns(on, a, reduction_named(what));
  });
  define(m, "diagonal_of", [](auto& on, auto& a) { return gs::diagonal_of(on, a); });
  define<index_t>(m, "tril", [](auto& on, auto& a, index_t k) { return gs::tril(on, a, k); });
  define<index_t>(m, "triu", [](auto& on, auto& a, index_t k) { return gs::triu(on, a, k); });
  define<index_list, index_list>(m, "submatrix", [](auto& on, auto& a, auto& rows, auto& columns) {
    return gs::submatrix(on, a, rows, columns);
  });
  define<index_list>(m, "permute_rows",
                     [](auto& on, auto& a, auto& rows) { return gs::permute_rows(on, a, rows); });
  define<index_list>(m, "permute_columns", [](auto& on, auto& a, auto& columns) {
    return gs::permute_columns(on, a, columns);
  });
  define<index_list>(m, "permute",
                     [](auto& on, auto& a, auto& order) { return gs::permute(on, a, order); });
  define<matrix>(m, "kron", [](auto& on, auto& a, auto& b) { return gs::kron(on, a, b); });
  m.def("add", &added);
}

}  // namespace binding
