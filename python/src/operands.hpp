// Operands of products: borrowed arrays of a matrix with the views that the library reads.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "arrays.hpp"

namespace binding {

namespace detail {
struct any_matrices {
  template <class T>
  using of = gs::detail::any_matrix<T>;
};
}  // namespace detail

/// A matrix of any format that a conversion made, owned.
using stored_matrix = gs::each_value<detail::any_matrices>;

/// A matrix as an operand. Keeps its arrays alive; copies of it share them.
struct matrix_operand {
  gs::operand view;
  gs::format format = gs::format::csr;
  char code = 'd';
  gs::memory where = gs::memory::host;
  int device = 0;
  std::vector<py::object> arrays;               ///< of Python
  std::shared_ptr<const stored_matrix> stored;  ///< or of the library

  /// Of op(A): transposition counted.
  gs::extents shape() const;
  gs::index_t nnz() const;
};

/// CSR, CSC or COO over three arrays: (data, indices, indptr) or (data, row, col). Checks types and
/// sizes; contents are checked by check().
matrix_operand sparse_operand(gs::format format, gs::extents shape, const py::object& data,
                              const py::object& first, const py::object& second);
/// A dense matrix, or a vector as a single column, over an array.
matrix_operand dense_operand(const py::object& array, const char* what);
/// Throws ValueError with the first index that is wrong; `name` is A or B.
void check(const matrix_operand& a, const char* name, const gs::context& where);

/// The operand times a number.
gs::operand scaled(const matrix_operand& a, const py::object& alpha);

/// A dense output over an array that may be written to.
gs::dense_target dense_target_over(const py::object& array, const char* what);

/// Options of a product from keyword arguments; unknown names throw TypeError. `mask` is a
/// matrix_operand in CSR, `keep` a pair (magnitude, largest).
gs::options read_options(const py::dict& from);

void define_operands(py::module_& m);

}  // namespace binding
