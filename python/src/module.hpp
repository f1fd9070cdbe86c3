// What the files of the module define, and how long work runs.
#pragma once

#include <functional>

#include "values.hpp"

namespace binding {

void define_products(py::module_& m);
void define_plans(py::module_& m);
void define_inspection(py::module_& m);
void define_files(py::module_& m);
void define_calls(py::module_& m);

/// The exception of Python that its users expect for a kind of error.
PyObject* exception_of(gs::error_kind kind);

/// Runs the work with the GIL released. `size` is about the number of elements that it reads.
void interruptible(gs::index_t size, const std::function<void()>& work);

}  // namespace binding
