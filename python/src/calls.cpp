// The two calls that people repeat most, y = A x and plan(x), as plain functions of CPython: the
// argument handling of pybind11 costs about a microsecond, a product of 100 x 100 less. Both return
// NotImplemented for anything out of the ordinary, and the package takes the general way.
#include "index_checks.hpp"
#include "module.hpp"
#include "plans.hpp"

namespace binding {

namespace {

/// Below this many nonzeros the GIL is kept: releasing it would cost a tenth of the product.
constexpr gs::index_t short_call = 1'000;
/// Results from this many bytes on come from the library's pool, whose pages are touched already.
constexpr gs::index_t pooled = gs::index_t{1} << 20;

/// Attribute names, interned once. They live as long as the process.
struct attribute_names {
  PyObject* format = PyUnicode_InternFromString("format");
  PyObject* shape = PyUnicode_InternFromString("shape");
  PyObject* data = PyUnicode_InternFromString("data");
  PyObject* indices = PyUnicode_InternFromString("indices");
  PyObject* indptr = PyUnicode_InternFromString("indptr");
};

py::object attribute(PyObject* object, PyObject* name) {
  return py::reinterpret_steal<py::object>(PyObject_GetAttr(object, name));
}

bool is_plain(PyObject* object) {
  return Py_TYPE(object) ==
         reinterpret_cast<PyTypeObject*>(py::detail::npy_api::get().PyArray_Type_);
}

/// True for a contiguous array of one dimension that the library can read as it is.
bool is_vector(PyObject* object) {
  if (!is_plain(object)) return false;
  const auto& a = *py::detail::array_proxy(object);
  constexpr int wanted = int{py::array::c_style} | int{py::detail::npy_api::NPY_ARRAY_ALIGNED_};
  return a.nd == 1 && (a.flags & wanted) == wanted &&
         py::detail::array_descriptor_proxy(a.descr)->byteorder != '>';
}

gs::index_t length(PyObject* vector) { return py::detail::array_proxy(vector)->dimensions[0]; }
void* data_of(PyObject* array) { return py::detail::array_proxy(array)->data; }

/// dtype.char, with 'i' and 'l' for the two widths of indices.
char code_of_array(PyObject* array) {
  const auto& dtype = *py::detail::array_descriptor_proxy(py::detail::array_proxy(array)->descr);
  if (dtype.kind == 'i') return dtype.elsize == 4 ? 'i' : dtype.elsize == 8 ? 'l' : '?';
  return dtype.type;
}

/// A new vector for a result; its elements are not set.
template <class T>
py::array new_vector(gs::index_t n) {
  if (n * static_cast<gs::index_t>(sizeof(T)) < pooled) return py::array_t<T>(n);
  const auto memory = std::make_shared<gs::buffer<T>>(n);
  return numpy_over(code_of<T>, {n}, memory->data(), memory);
}

/// The view of a matrix in CSR like SciPy's, if its arrays are ordinary ones.
struct csr_parts {
  py::object data, indices, indptr;
  gs::extents shape;
  gs::index_width width = gs::index_width::i32;
  char code = '?';
  bool good = false;
};

csr_parts parts_of(PyObject* matrix) {
  static const attribute_names names;
  csr_parts parts;
  const auto format = attribute(matrix, names.format);
  if (!format || !PyUnicode_Check(format.ptr()) ||
      PyUnicode_CompareWithASCIIString(format.ptr(), "csr") != 0)
    return parts;
  parts.data = attribute(matrix, names.data);
  parts.indices = attribute(matrix, names.indices);
  parts.indptr = attribute(matrix, names.indptr);
  const auto shape = attribute(matrix, names.shape);
  if (!parts.data || !parts.indices || !parts.indptr || !shape || !is_vector(parts.data.ptr()) ||
      !is_vector(parts.indices.ptr()) || !is_vector(parts.indptr.ptr()) ||
      !PyTuple_Check(shape.ptr()) || PyTuple_GET_SIZE(shape.ptr()) != 2)
    return parts;
  parts.shape = {PyLong_AsLongLong(PyTuple_GET_ITEM(shape.ptr(), 0)),
                 PyLong_AsLongLong(PyTuple_GET_ITEM(shape.ptr(), 1))};
  parts.code = code_of_array(parts.data.ptr());
  const char index = code_of_array(parts.indices.ptr());
  parts.width = index == 'i' ? gs::index_width::i32 : gs::index_width::i64;
  const auto nnz = length(parts.data.ptr());
  parts.good = (index == 'i' || index == 'l') && code_of_array(parts.indptr.ptr()) == index &&
               length(parts.indices.ptr()) == nnz && parts.shape.rows >= 0 &&
               length(parts.indptr.ptr()) == parts.shape.rows + 1;
  return parts;
}

template <class F>
void without_gil_if_long(gs::index_t nnz, F&& f) {
  if (nnz < short_call) return f();
  const py::gil_scoped_release released;
  f();
}

template <class T>
py::object multiply_vector(const csr_parts& a, PyObject* x, bool checked) {
  const auto nnz = length(a.data.ptr());
  const gs::csr_view<const T> view(a.shape, {data_of(a.indptr.ptr()), a.shape.rows + 1, a.width},
                                   {data_of(a.indices.ptr()), nnz, a.width},
                                   static_cast<const T*>(data_of(a.data.ptr())));
  py::array y = new_vector<T>(a.shape.rows);
  const gs::dense_view<const T> from(static_cast<const T*>(data_of(x)), length(x),
                                     gs::memory::host);
  const gs::dense_view<T> to(static_cast<T*>(data_of(y.ptr())), a.shape.rows, gs::memory::host);
  bool valid = true;
  without_gil_if_long(nnz, [&] {
    valid = checked || has_valid_indices(a.shape, view.offsets, view.columns);
    if (valid) gs::multiply(gs::context::openmp(), view, from, to);
  });
  if (!valid) return {};  // the general way words the error
  return y;
}

PyObject* not_implemented() {
  PyErr_Clear();
  Py_RETURN_NOTIMPLEMENTED;
}

/// Calls f, which returns an object or nothing; C++ exceptions become Python's.
template <class F>
PyObject* answered(F&& f) {
  try {
    py::object result = f();
    return result ? result.release().ptr() : not_implemented();
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const gs::error& e) {
    PyErr_SetString(exception_of(e.kind()), e.what());
  } catch (const py::builtin_exception& e) {
    e.set_error();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  }
  return nullptr;
}

/// spmv(A, x, checked): A x for a CSR matrix like SciPy's and a vector.
PyObject* spmv(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 3 || !is_vector(arguments[1])) return not_implemented();
  return answered([&]() -> py::object {
    const auto a = parts_of(arguments[0]);
    PyObject* const x = arguments[1];
    if (!a.good || code_of_array(x) != a.code || length(x) != a.shape.cols) return {};
    if (!is_value_code(a.code)) return {};
    return with_value_type(a.code, [&]<class T>(std::type_identity<T>) {
      return multiply_vector<T>(a, x, arguments[2] == Py_True);
    });
  });
}

template <class T>
py::object run_plan(const product_plan& plan, PyObject* x, PyObject* out) {
  const auto& a = std::get<gs::expression<T>>(plan.a.view);
  const auto shape = plan.plan.result_shape();
  if (length(x) != plan.b.shape().rows) return {};
  py::object y;
  if (out == Py_None) {
    y = new_vector<T>(shape.rows);
  } else {
    if (!is_vector(out) || code_of_array(out) != plan.a.code || length(out) != shape.rows ||
        (py::detail::array_proxy(out)->flags & py::detail::npy_api::NPY_ARRAY_WRITEABLE_) == 0)
      return {};
    y = py::reinterpret_borrow<py::object>(out);
  }
  const gs::dense_view<const T> from(static_cast<const T*>(data_of(x)), length(x),
                                     gs::memory::host);
  const gs::dense_view<T> to(static_cast<T*>(data_of(y.ptr())), shape.rows, gs::memory::host);
  without_gil_if_long(plan.a.nnz(), [&] { gs::multiply(plan.plan, a, from, to); });
  return y;
}

/// call_plan(plan, x, out): the product of a plan with a vector; out may be None.
PyObject* call_plan(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
  if (count != 3 || !is_vector(arguments[1])) return not_implemented();
  return answered([&]() -> py::object {
    const auto& plan = py::handle(arguments[0]).cast<const product_plan&>();
    PyObject* const x = arguments[1];
    if (plan.sparse_result || plan.dense_first || plan.dimensions != 1 ||
        plan.a.where != gs::memory::host || code_of_array(x) != plan.a.code)
      return {};
    return with_value_type(plan.a.code, [&]<class T>(std::type_identity<T>) {
      return run_plan<T>(plan, x, arguments[2]);
    });
  });
}

template <auto Function>
PyCFunction as_method() {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Function));
}

PyMethodDef methods[] = {
    {"spmv", as_method<spmv>(), METH_FASTCALL,
     "spmv(A, x, checked): A x, or NotImplemented when the operands are not ordinary"},
    {"call_plan", as_method<call_plan>(), METH_FASTCALL,
     "call_plan(plan, x, out): the product, or NotImplemented"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void define_calls(py::module_& m) {
  if (PyModule_AddFunctions(m.ptr(), methods) != 0) throw py::error_already_set();
}

}  // namespace binding
