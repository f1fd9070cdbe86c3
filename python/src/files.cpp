// Reading and writing files. Progress is reported to a callable, and a pending Ctrl-C ends the
// work.
#include <optional>

#include "module.hpp"
#include "operands.hpp"

namespace binding {

namespace {

/// Calls `report` (None: nothing) with the GIL held, and lets signals through: an exception of
/// either ends the reading or writing.
gs::progress_callback progress_to(const py::object& report) {
  return [report](std::string_view what, double done) {
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!report.is_none()) report(std::string(what), done);
  };
}

template <class T>
py::object lend_dense(gs::dense_matrix<T>&& matrix) {
  const auto owner = std::make_shared<gs::dense_matrix<T>>(std::move(matrix));
  const auto view = owner->view();
  // Row-major as it is; a column-major matrix is the transpose of one.
  const bool turned = view.order == gs::layout::column_major;
  const auto shape = turned ? gs::transposed(view.shape) : view.shape;
  const py::array array = numpy_over(code_of<T>, {shape.rows, shape.cols}, view.values, owner);
  return turned ? array.attr("T") : array;
}

/// A sparse file gives (rows, cols, data, indices, indptr), a dense one an array.
py::object read_file(const std::string& path, char code, int threads, const py::object& report) {
  return with_value_type(code, [&]<class T>(std::type_identity<T>) -> py::object {
    std::optional<gs::file_matrix<T>> found;
    const gs::read_options how{.threads = threads, .progress = progress_to(report)};
    {
      const py::gil_scoped_release released;
      found = gs::read<T>(path, how);
    }
    if (auto* dense = std::get_if<gs::dense_matrix<T>>(&*found))
      return lend_dense(std::move(*dense));
    return lend_with_shape(std::get<gs::csr_matrix<T>>(std::move(*found)), gs::context::best());
  });
}

void write_file(const std::string& path, const matrix_operand& a, const std::string& comment,
                int threads, const py::object& report) {
  const gs::write_options how{
      .threads = threads, .progress = progress_to(report), .comment = comment};
  std::visit(
      [&]<class T>(const gs::expression<T>& e) {
        const py::gil_scoped_release released;
        if (const auto* csr = std::get_if<gs::csr_view<const T>>(&e.view))
          gs::write<T>(path, *csr, how);
        else if (const auto* dense = std::get_if<gs::dense_view<const T>>(&e.view))
          gs::write<T>(path, *dense, how);
        else
          throw gs::error(gs::error_kind::bad_argument,
                          "files hold matrices in CSR or dense ones; convert it first");
      },
      a.view);
}

py::dict file_info(const std::string& path) {
  const auto info = gs::inspect_file(path);
  py::dict facts;
  facts["kind"] = std::string(gs::name(info.kind));
  facts["dense"] = info.dense;
  facts["field"] = info.field;
  facts["symmetry"] = info.symmetry;
  facts["shape"] = py::make_tuple(info.shape.rows, info.shape.cols);
  facts["stored"] = info.stored;
  return facts;
}

}  // namespace

void define_files(py::module_& m) {
  m.def("read", &read_file);
  m.def("write", &write_file);
  m.def("file_info", &file_info);
}

}  // namespace binding
