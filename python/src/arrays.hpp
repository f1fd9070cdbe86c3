// Arrays from Python and for Python. Inputs are borrowed: NumPy arrays and device_arrays lend their
// memory for the duration of a call. Results own their memory: a capsule, or a device_array, keeps
// the library's arrays alive.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "values.hpp"

namespace binding {

/// An array in the memory of a device, or foreign memory that was lent through DLPack or
/// __cuda_array_interface__. Contiguous, row-major.
struct device_array {
  std::shared_ptr<const void> owner;  ///< frees the memory; may hold a Python object
  void* data = nullptr;
  std::vector<gs::index_t> shape;
  char code = 'd';  ///< NumPy's dtype.char
  int device = 0;
  gs::memory where = gs::memory::device;
  bool writable = true;
  std::optional<gs::context> context;  ///< of arrays that the library allocated

  gs::index_t size() const {
    gs::index_t n = 1;
    for (const auto extent : shape) n *= extent;
    return n;
  }
};

/// Facts about an array that was given, of one or two dimensions.
struct lent_array {
  void* data = nullptr;
  int dimensions = 1;
  gs::index_t rows = 0, cols = 1;          ///< a vector has one column
  gs::index_t row_step = 1, col_step = 1;  ///< in elements
  char code = '?';                         ///< 'f', 'd', ... 'i' (int32), 'l' (int64)
  gs::memory where = gs::memory::host;
  int device = 0;
  bool writable = false;

  gs::index_t size() const { return rows * cols; }
};

/// Looks at a NumPy array or a device_array; `what` names it in errors. Throws TypeError for other
/// objects, ValueError for layouts that the library cannot read.
lent_array lent(const py::handle& array, const char* what);

/// A one-dimensional array of 32- or 64-bit indices.
gs::index_view lent_indices(const py::handle& array, const char* what);

/// A dense operand over the memory of an array.
template <class T>
gs::dense_view<T> dense_over(const lent_array& a) {
  auto* const values = static_cast<T*>(a.data);
  if (a.row_step == 1 && (a.cols == 1 || a.col_step >= a.rows))
    return {{a.rows, a.cols},
            gs::layout::column_major,
            a.cols == 1 ? a.rows : a.col_step,
            values,
            a.where};
  return {{a.rows, a.cols}, gs::layout::row_major, a.row_step, values, a.where};
}

/// A NumPy array over memory that `owner` keeps alive.
py::array numpy_over(char code, std::vector<py::ssize_t> shape, const void* data,
                     const std::shared_ptr<const void>& owner);

/// A result in the memory of a context, which `owner` keeps alive: a NumPy array or a device_array.
py::object result_over(char code, void* data, gs::index_t size, std::shared_ptr<const void> owner,
                       const gs::context& where);

/// The three arrays of a result, (data, indices, indptr), over the memory of the matrix.
template <class T>
py::tuple lend_result(gs::csr_matrix<T>&& matrix, const gs::context& where) {
  const auto owner = std::make_shared<gs::csr_matrix<T>>(std::move(matrix));
  const auto view = owner->mutable_view();
  const auto indices = [&](const gs::index_span& v) {
    return result_over(v.width() == gs::index_width::i32 ? 'i' : 'l', v.data(), v.size(), owner,
                       where);
  };
  return py::make_tuple(result_over(code_of<T>, view.values, view.nnz(), owner, where),
                        indices(view.columns), indices(view.offsets));
}

/// The same with its shape: (rows, cols, data, indices, indptr).
template <class T>
py::tuple lend_with_shape(gs::csr_matrix<T>&& matrix, const gs::context& where) {
  const auto shape = matrix.shape();
  return py::make_tuple(shape.rows, shape.cols) + lend_result(std::move(matrix), where);
}

/// The elements of a vector as an array over its memory.
template <class T>
py::object lend_vector(gs::vector<T>&& values, const gs::context& where) {
  const auto owner = std::make_shared<gs::vector<T>>(std::move(values));
  return result_over(code_of<T>, owner->mutable_view().values, owner->size(), owner, where);
}

void define_arrays(py::module_& m);

}  // namespace binding
