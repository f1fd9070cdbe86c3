#include "arrays.hpp"

#include "dlpack.hpp"

namespace binding {

namespace {

std::string text_of(const py::handle& object) { return py::str(object).cast<std::string>(); }
std::string type_of(const py::handle& object) {
  return text_of(py::type::handle_of(object).attr("__name__"));
}

gs::index_t size_of(char code) {
  switch (code) {
    case 'f':
    case 'i': return 4;
    case 'D': return 16;
    default: return 8;
  }
}

/// 'i' and 'l' for the two widths of indices, whatever NumPy calls them; dtype.char otherwise.
char code_of_dtype(const py::detail::PyArrayDescr_Proxy& dtype) {
  if (dtype.kind == 'i' && dtype.elsize == 4) return 'i';
  if (dtype.kind == 'i' && dtype.elsize == 8) return 'l';
  return dtype.type;
}

constexpr int aligned_flag = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
constexpr int writable_flag = py::detail::npy_api::NPY_ARRAY_WRITEABLE_;

[[noreturn]] void refuse_layout(const char* what, const std::string& found) {
  throw py::value_error(std::string(what) + " " + found +
                        "; pass numpy.ascontiguousarray(...) of it");
}

lent_array lent_numpy(const py::handle& array, const char* what) {
  const auto& a = *py::detail::array_proxy(array.ptr());
  const auto& dtype = *py::detail::array_descriptor_proxy(a.descr);
  if (a.nd < 1 || a.nd > 2)
    throw py::value_error(std::string(what) + " has " + std::to_string(a.nd) +
                          " dimensions; expected a vector or a matrix");
  if (dtype.byteorder == '>') refuse_layout(what, "is not in the byte order of this machine");
  if ((a.flags & aligned_flag) == 0) refuse_layout(what, "is not aligned in memory");
  lent_array facts{.data = a.data,
                   .dimensions = a.nd,
                   .rows = a.dimensions[0],
                   .cols = a.nd == 2 ? a.dimensions[1] : 1,
                   .code = code_of_dtype(dtype),
                   .writable = (a.flags & writable_flag) != 0};
  const auto size = dtype.elsize;
  const bool whole = a.strides[0] % size == 0 && (a.nd == 1 || a.strides[1] % size == 0);
  // Strides of dimensions with at most one element mean nothing.
  facts.col_step = a.nd == 2 && facts.cols > 1 ? a.strides[1] / size : 1;
  facts.row_step = facts.rows > 1
                       ? a.strides[0] / size
                       : (facts.col_step == 1 ? std::max<gs::index_t>(facts.cols, 1) : 1);
  if (facts.cols > 1 && facts.rows <= 1 && facts.col_step != 1) facts.row_step = 1;
  const bool row_major =
      facts.col_step == 1 && facts.row_step >= std::max<gs::index_t>(facts.cols, 1);
  const bool column_major = facts.row_step == 1 && facts.col_step >= facts.rows;
  if (facts.size() > 0 && (!whole || !(row_major || column_major)))
    refuse_layout(what, "is neither row-major nor column-major in memory");
  return facts;
}

lent_array lent_device(const device_array& a, const char* what) {
  const auto n = a.shape.size();
  if (n < 1 || n > 2)
    throw py::value_error(std::string(what) + " has " + std::to_string(n) +
                          " dimensions; expected a vector or a matrix");
  const auto cols = n == 2 ? a.shape[1] : 1;
  return {.data = a.data,
          .dimensions = static_cast<int>(n),
          .rows = a.shape[0],
          .cols = cols,
          .row_step = std::max<gs::index_t>(cols, 1),
          .col_step = 1,
          .code = a.code,
          .where = a.where,
          .device = a.device,
          .writable = a.writable};
}

py::dtype dtype_of(char code) { return py::dtype(std::string(1, code)); }

/// Frees the last reference to a Python object with the GIL held.
std::shared_ptr<const void> keep_alive(const py::object& object) {
  return {object.ptr(), [kept = object](const void*) mutable {
            const py::gil_scoped_acquire gil;
            kept = py::object();
          }};
}

/// An object with __cuda_array_interface__ (CuPy, Numba, PyTorch) as a device_array; it is kept
/// alive.
device_array from_cuda_interface(const py::object& object) {
  const auto facts = object.attr("__cuda_array_interface__").cast<py::dict>();
  const auto type = text_of(facts["typestr"]);
  const auto dtype = py::dtype::from_args(facts["typestr"]);
  if (dtype.byteorder() == '>')
    throw py::value_error("the device array (" + type +
                          ") is not in the byte order of this machine");
  device_array result;
  result.code = code_of_dtype(*py::detail::array_descriptor_proxy(dtype.ptr()));
  for (const auto& extent : facts["shape"]) result.shape.push_back(extent.cast<gs::index_t>());
  const auto data = facts["data"].cast<py::tuple>();
  result.data = reinterpret_cast<void*>(data[0].cast<std::uintptr_t>());
  result.writable = !data[1].cast<bool>();
  result.owner = keep_alive(object);
  if (!facts.contains("strides") || facts["strides"].is_none()) return result;
  gs::index_t expected = dtype.itemsize();
  const auto strides = facts["strides"].cast<std::vector<gs::index_t>>();
  for (auto k = result.shape.size(); k-- > 0;) {
    if (result.shape[k] > 1 && strides.at(k) != expected)
      throw py::value_error("the device array is not contiguous; copy it first");
    expected *= result.shape[k];
  }
  return result;
}

py::dict cuda_interface(const device_array& a) {
  if (a.where != gs::memory::device)
    throw py::attribute_error("the array is in host memory: numpy.from_dlpack(array) borrows it");
  py::dict facts;
  facts["shape"] = py::tuple(py::cast(a.shape));
  facts["typestr"] = dtype_of(a.code).attr("str");
  facts["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(a.data), !a.writable);
  facts["strides"] = py::none();
  facts["version"] = 3;
  if (a.context) {  // 1 is CUDA's name for the default stream
    const auto stream = reinterpret_cast<std::uintptr_t>(a.context->stream());
    facts["stream"] = stream == 0 ? 1 : stream;
  }
  return facts;
}

/// The elements as a NumPy array in host memory.
py::array to_host(const device_array& a, const std::optional<gs::context>& given) {
  std::vector<py::ssize_t> shape(a.shape.begin(), a.shape.end());
  if (a.where == gs::memory::host) return numpy_over(a.code, shape, a.data, a.owner);
  const auto where = given ? *given : a.context ? *a.context : gs::context::cuda(a.device);
  py::array result(dtype_of(a.code), shape);
  // Bytes are moved as values of the same size: the library copies float and double.
  const gs::index_t bytes = a.size() * size_of(a.code);
  auto* const to = static_cast<float*>(result.mutable_data());
  const py::gil_scoped_release released;
  gs::copy_into(
      where,
      gs::dense_view<const float>(static_cast<const float*>(a.data), bytes / 4, gs::memory::device),
      gs::dense_view<float>(to, bytes / 4, gs::memory::host));
  where.synchronise();
  return result;
}

/// A copy of a NumPy array in the memory of a context.
device_array to_device(const gs::context& where, const py::array& from) {
  const auto source = lent(from, "the array");
  if (from.flags() & py::array::c_style) {
    device_array result{.code = source.code, .device = where.device(), .context = where};
    result.shape.assign(from.shape(), from.shape() + from.ndim());
    result.where = where.memory()->where();
    const gs::index_t count = source.size() * size_of(source.code) / 4;
    auto copy = std::make_shared<gs::vector<float>>(count, where.memory());
    gs::copy_into(where,
                  gs::dense_view<const float>(static_cast<const float*>(source.data), count,
                                              gs::memory::host),
                  *copy);
    where.synchronise();
    result.data = copy->mutable_view().values;
    result.owner = std::move(copy);
    return result;
  }
  refuse_layout("the array", "is not contiguous");
}

/// An array in the memory of a context; its elements are not set.
device_array empty_on(const gs::context& where, const std::vector<gs::index_t>& shape,
                      const std::string& code) {
  device_array result{
      .shape = shape, .code = code.at(0), .device = where.device(), .context = where};
  result.where = where.memory()->where();
  const auto memory =
      std::make_shared<gs::vector<float>>(result.size() * size_of(result.code) / 4, where.memory());
  result.data = memory->mutable_view().values;
  result.owner = memory;
  return result;
}

}  // namespace

lent_array lent(const py::handle& array, const char* what) {
  if (py::isinstance<py::array>(array)) return lent_numpy(array, what);
  if (py::isinstance<device_array>(array))
    return lent_device(array.cast<const device_array&>(), what);
  throw py::type_error(std::string(what) + " is a " + type_of(array) +
                       "; expected a NumPy array or an array on a device");
}

gs::index_view lent_indices(const py::handle& array, const char* what) {
  const auto a = lent(array, what);
  if (a.code != 'i' && a.code != 'l')
    throw py::type_error(std::string(what) + " has values of type '" + a.code +
                         "'; indices are int32 or int64");
  if (a.cols != 1 || (a.size() > 1 && a.row_step != 1)) refuse_layout(what, "is not contiguous");
  return {a.data, a.size(), a.code == 'i' ? gs::index_width::i32 : gs::index_width::i64};
}

py::array numpy_over(char code, std::vector<py::ssize_t> shape, const void* data,
                     const std::shared_ptr<const void>& owner) {
  auto* const kept = new std::shared_ptr<const void>(owner);
  const py::capsule capsule(kept,
                            [](void* p) { delete static_cast<std::shared_ptr<const void>*>(p); });
  return {dtype_of(code), std::move(shape), data, capsule};
}

py::object result_over(char code, void* data, gs::index_t size, std::shared_ptr<const void> owner,
                       const gs::context& where) {
  const auto place = where.memory()->where();
  if (place == gs::memory::host) return numpy_over(code, {size}, data, owner);
  return py::cast(device_array{.owner = std::move(owner),
                               .data = data,
                               .shape = {size},
                               .code = code,
                               .device = where.device(),
                               .where = place,
                               .context = where});
}

void define_arrays(py::module_& m) {
  py::class_<device_array>(
      m, "device_array",
      "An array in the memory of a device, which other libraries read without a copy.")
      .def_readonly("shape", &device_array::shape)
      .def_readonly("device", &device_array::device)
      .def_property_readonly("size", &device_array::size)
      .def_property_readonly("dtype", [](const device_array& a) { return dtype_of(a.code); })
      .def_property_readonly(
          "address", [](const device_array& a) { return reinterpret_cast<std::uintptr_t>(a.data); })
      .def_property_readonly("on_device",
                             [](const device_array& a) { return a.where == gs::memory::device; })
      .def("to_host", &to_host, py::arg("on") = py::none())
      .def_property_readonly("__cuda_array_interface__", &cuda_interface)
      .def("__dlpack__", &to_dlpack, py::arg("stream") = py::none())
      .def("__dlpack_device__", [](const device_array& a) {
        return a.where == gs::memory::device ? py::make_tuple(2, a.device) : py::make_tuple(1, 0);
      });
  m.def("from_cuda_interface", &from_cuda_interface);
  m.def("from_dlpack", &from_dlpack);
  m.def("to_device", &to_device);
  m.def("empty_on", &empty_on);
}

}  // namespace binding
