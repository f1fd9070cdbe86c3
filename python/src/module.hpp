// What the files of the module define.
#pragma once

#include "interrupt.hpp"
#include "values.hpp"

namespace binding {

void define_products(py::module_& m);
void define_plans(py::module_& m);
void define_inspection(py::module_& m);
void define_structure(py::module_& m);
void define_elements(py::module_& m);
void define_files(py::module_& m);
void define_calls(py::module_& m);
/// Without gossamer::amg it defines nothing.
void define_amg(py::module_& m);

/// The exception of Python that its users expect for a kind of error.
PyObject* exception_of(gs::error_kind kind);

}  // namespace binding
