// The module gossamer._core: thin functions over the library, for the package around it.
#include "module.hpp"

#include "arrays.hpp"
#include "operands.hpp"

namespace binding {

namespace {

gs::context context_named(const std::string& name, int threads) {
  const auto colon = name.find(':');
  const auto kind = name.substr(0, colon);
  int number = 0;
  if (colon != std::string::npos) {
    const auto digits = name.substr(colon + 1);
    if (digits.empty() || digits.size() > 4 ||
        digits.find_first_not_of("0123456789") != std::string::npos)
      throw py::value_error("'" + name + "': expected a number after the colon, as in cuda:0");
    number = std::stoi(digits);
  }
  if (kind == "cuda") return gs::context::cuda(number);
  if (colon == std::string::npos && kind == "cpu") return gs::context::openmp(threads);
  if (colon == std::string::npos && kind == "reference") return gs::context::reference();
  throw py::value_error("there is no '" + name +
                        "' to compute on; expected cpu, reference or cuda:0");
}

void define_contexts(py::module_& m) {
  py::class_<gs::context>(m, "context", "A place to compute, made by gossamer.on().")
      .def_property_readonly(
          "backend", [](const gs::context& c) { return std::string(gs::name(c.backend())); })
      .def("__repr__",
           [](const gs::context& c) {
             if (c.backend() == gs::backend::cuda)
               return "gossamer.on(\"cuda:" + std::to_string(c.device()) + "\")";
             if (c.backend() == gs::backend::reference)
               return std::string("gossamer.on(\"reference\")");
             return "gossamer.on(\"cpu\", threads=" + std::to_string(c.threads()) + ")";
           })
      .def_property_readonly("threads", &gs::context::threads)
      .def_property_readonly("device", &gs::context::device)
      .def_property_readonly(
          "stream",
          [](const gs::context& c) { return reinterpret_cast<std::uintptr_t>(c.stream()); })
      .def("with_stream",
           [](const gs::context& c, std::uintptr_t stream) {
             return c.with_stream(reinterpret_cast<void*>(stream));
           })
      .def("synchronise", &gs::context::synchronise, py::call_guard<py::gil_scoped_release>());
  m.def("context_named", &context_named);
  m.def("why_no_cuda", [] { return gs::why_not_available(gs::backend::cuda); });
}

}  // namespace

PyObject* exception_of(gs::error_kind kind) {
  switch (kind) {
    case gs::error_kind::out_of_memory:
    case gs::error_kind::memory_limit: return PyExc_MemoryError;
    case gs::error_kind::overflow: return PyExc_OverflowError;
    case gs::error_kind::io_failure: return PyExc_OSError;
    case gs::error_kind::not_available:
    case gs::error_kind::device_failure: return PyExc_RuntimeError;
    default: return PyExc_ValueError;
  }
}

}  // namespace binding

PYBIND11_MODULE(_core, m) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const binding::gs::error& e) {
      PyErr_SetString(binding::exception_of(e.kind()), e.what());
    }
  });
  m.attr("value_codes") = binding::detail::codes_of(binding::value_types{});
  m.attr("version") = binding::gs::version();
  binding::define_contexts(m);
  binding::define_arrays(m);
  binding::define_operands(m);
  binding::define_products(m);
  binding::define_plans(m);
  binding::define_inspection(m);
  binding::define_structure(m);
  binding::define_elements(m);
  binding::define_files(m);
  binding::define_calls(m);
  binding::define_amg(m);
  binding::define_interruption(m);
}
