#include "dlpack.hpp"

#include <cstdint>

namespace binding {

namespace {

// The structures of the specification, by its layout; names are its own.
struct dl_device {
  std::int32_t device_type;  // 1: CPU, 2: CUDA, 3: pinned host memory
  std::int32_t device_id;
};
struct dl_data_type {
  std::uint8_t code;  // 0: int, 2: float, 5: complex
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct dl_tensor {
  void* data;
  dl_device device;
  std::int32_t ndim;
  dl_data_type dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
struct dl_managed_tensor {
  dl_tensor tensor;
  void* manager_ctx;
  void (*deleter)(dl_managed_tensor*);
};

constexpr std::int32_t on_cpu = 1, on_cuda = 2, pinned = 3;
constexpr std::uint8_t of_int = 0, of_float = 2, of_complex = 5;

char code_named(const dl_data_type& type) {
  if (type.lanes == 1) {
    if (type.code == of_float && type.bits == 32) return 'f';
    if (type.code == of_float && type.bits == 64) return 'd';
    if (type.code == of_complex && type.bits == 64) return 'F';
    if (type.code == of_complex && type.bits == 128) return 'D';
    if (type.code == of_int && type.bits == 32) return 'i';
    if (type.code == of_int && type.bits == 64) return 'l';
  }
  throw py::type_error("the DLPack array holds elements of code " + std::to_string(type.code) +
                       " with " + std::to_string(type.bits) + " bits; expected int32, int64, " +
                       value_type_names);
}

dl_data_type type_of(char code) {
  switch (code) {
    case 'f': return {of_float, 32, 1};
    case 'F': return {of_complex, 64, 1};
    case 'D': return {of_complex, 128, 1};
    case 'i': return {of_int, 32, 1};
    case 'l': return {of_int, 64, 1};
    default: return {of_float, 64, 1};
  }
}

void require_contiguous(const dl_tensor& tensor) {
  if (tensor.strides == nullptr) return;
  std::int64_t expected = 1;
  for (auto k = tensor.ndim; k-- > 0;) {
    if (tensor.shape[k] > 1 && tensor.strides[k] != expected)
      throw py::value_error("the DLPack array is not contiguous; copy it first");
    expected *= tensor.shape[k];
  }
}

/// What a capsule that we hand out keeps alive.
struct lent_tensor {
  dl_managed_tensor managed;
  std::shared_ptr<const void> owner;
  std::vector<std::int64_t> shape;
};

}  // namespace

device_array from_dlpack(const py::capsule& capsule) {
  auto* const managed = static_cast<dl_managed_tensor*>(
      PyCapsule_GetPointer(capsule.ptr(), "dltensor"));  // null: of another name, or used
  if (managed == nullptr) throw py::error_already_set();
  const auto& tensor = managed->tensor;
  const auto kind = tensor.device.device_type;
  if (kind != on_cpu && kind != on_cuda && kind != pinned)
    throw py::value_error("the DLPack array is on a device of kind " + std::to_string(kind) +
                          "; expected host memory (1) or CUDA (2)");
  require_contiguous(tensor);
  device_array result{.code = code_named(tensor.dtype), .device = tensor.device.device_id};
  result.data = static_cast<char*>(tensor.data) + tensor.byte_offset;
  result.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  result.where = kind == on_cuda ? gs::memory::device : gs::memory::host;
  PyCapsule_SetName(capsule.ptr(), "used_dltensor");  // ours now, says the protocol
  result.owner = std::shared_ptr<const void>(managed, [managed](const void*) {
    if (managed->deleter == nullptr) return;
    const py::gil_scoped_acquire gil;
    managed->deleter(managed);
  });
  return result;
}

py::capsule to_dlpack(const device_array& array, const py::object& stream) {
  if (array.context && !(py::isinstance<py::int_>(stream) && stream.cast<long>() == -1))
    array.context->synchronise();  // simpler than events, and right for every consumer
  auto lent = std::make_unique<lent_tensor>();
  lent->owner = array.owner;
  lent->shape = array.shape;
  lent->managed.tensor = {
      .data = array.data,
      .device = {array.where == gs::memory::device ? on_cuda : on_cpu, array.device},
      .ndim = static_cast<std::int32_t>(array.shape.size()),
      .dtype = type_of(array.code),
      .shape = lent->shape.data(),
      .strides = nullptr,
      .byte_offset = 0};
  lent->managed.manager_ctx = lent.get();
  lent->managed.deleter = [](dl_managed_tensor* self) {
    delete static_cast<lent_tensor*>(self->manager_ctx);
  };
  const auto free_unused = [](PyObject* capsule) {
    if (!PyCapsule_IsValid(capsule, "dltensor")) return;  // a consumer has taken it
    auto* const managed =
        static_cast<dl_managed_tensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
    managed->deleter(managed);
  };
  PyObject* const made = PyCapsule_New(&lent->managed, "dltensor", free_unused);
  if (made == nullptr) throw py::error_already_set();
  lent.release();  // the capsule's now
  return py::reinterpret_steal<py::capsule>(made);
}

}  // namespace binding
