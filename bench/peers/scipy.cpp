// SciPy: A @ x, A @ B and A @ B of csr_matrix, in a Python interpreter inside this process.
//
// The matrices are csr_matrix objects over NumPy arrays that share the given memory (read-only, not
// copied). SciPy computes on one thread and always allocates its result, dense ones, too; that is
// part of a run. Its sparse products drop nonzeros that cancel to zero and leave rows unsorted;
// scipy/sorted calls sort_indices(). The time of a run includes the Python around the compiled
// loops, about ten microseconds: that is what its users get. Objects are only touched under the
// interpreter's lock, by the calling thread.
//
// NumPy's compiled modules expect the symbols of libpython to be global. The plug-in is loaded with
// local names, so it makes libpython's global by itself before the interpreter starts.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <dlfcn.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/peers/support.hpp"

namespace gossamer::bench {
namespace {

constexpr char glue[] = R"(
import numpy, scipy, scipy.sparse

def array(memory, dtype):
    return numpy.frombuffer(memory, dtype) if len(memory) else numpy.empty(0, dtype)

def csr(rows, cols, offsets, columns, values, dtype):
    parts = array(values, dtype), array(columns, numpy.int32), array(offsets, numpy.int32)
    return scipy.sparse.csr_matrix(parts, shape=(rows, cols), copy=False)

def dense(rows, cols, values, dtype):
    return array(values, dtype).reshape((rows, cols) if cols > 1 else rows)

def dense_out(c, dtype):
    return numpy.ascontiguousarray(c, dtype)

def sparse_out(c):
    return (c.indptr.astype(numpy.int64), c.indices.astype(numpy.int32), c.data.astype(numpy.float64))
)";

class object {
 public:
  object() = default;
  explicit object(PyObject* owned) : handle_(owned) {}
  object(object&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  object& operator=(object&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~object() { Py_XDECREF(handle_); }
  PyObject* get() const { return handle_; }

 private:
  PyObject* handle_ = nullptr;
};

/// The interpreter's lock, for the length of a scope.
class locked {
 public:
  locked() : state_(PyGILState_Ensure()) {}
  locked(const locked&) = delete;
  locked& operator=(const locked&) = delete;
  ~locked() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

[[noreturn]] void fail(const char* what) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  const object owned_type(type), owned_value(value), owned_trace(trace);
  const object text(value != nullptr ? PyObject_Str(value) : nullptr);
  const char* const words = text.get() != nullptr ? PyUnicode_AsUTF8(text.get()) : nullptr;
  const std::string said = words != nullptr ? words : "no text";
  PyErr_Clear();
  throw std::runtime_error(std::string("Python failed at ") + what + ": " + said);
}

object checked(PyObject* result, const char* what) {
  if (result == nullptr) fail(what);
  return object(result);
}

/// Read-only, not copied.
object memory(const void* data, index_t bytes) {
  static char nothing = 0;
  char* const start = bytes > 0 ? static_cast<char*>(const_cast<void*>(data)) : &nothing;
  return checked(PyMemoryView_FromMemory(start, bytes, PyBUF_READ), "a view of memory");
}

template <class T>
constexpr const char* type_name = sizeof(T) == 4 ? "float32" : "float64";

PyObject* functions = nullptr;  // the dictionary of the glue above, from the start to the end

PyObject* function(const char* name) {
  PyObject* const found = PyDict_GetItemString(functions, name);  // borrowed
  if (found == nullptr) throw std::runtime_error(std::string("Python has no ") + name);
  return found;
}

template <class T>
object csr(const csr_arrays& from) {
  const object offsets = memory(from.offsets, (from.rows + 1) * 4);
  const object columns = memory(from.columns, from.nnz() * 4);
  const object values = memory(from.values, from.nnz() * static_cast<index_t>(sizeof(T)));
  return checked(PyObject_CallFunction(function("csr"), "LLOOOs", static_cast<long long>(from.rows),
                                       static_cast<long long>(from.cols), offsets.get(),
                                       columns.get(), values.get(), type_name<T>),
                 "csr_matrix");
}

/// Copies the bytes of a contiguous NumPy array.
template <class T>
void copy_out(PyObject* array, T* to, std::size_t count) {
  Py_buffer bytes;
  if (PyObject_GetBuffer(array, &bytes, PyBUF_CONTIG_RO) != 0) fail("reading a result");
  const auto found = static_cast<std::size_t>(bytes.len) / sizeof(T);
  if (found == count && count > 0) std::memcpy(to, bytes.buf, count * sizeof(T));
  PyBuffer_Release(&bytes);
  if (found != count) throw std::runtime_error("a result of SciPy has not the size expected");
}

template <class T>
std::vector<T> copy_out(PyObject* array) {
  std::vector<T> copy(static_cast<std::size_t>(PyObject_Length(array)));
  copy_out(array, copy.data(), copy.size());
  return copy;
}

enum class order { unsorted, sorted };

class product : public contestant {
 public:
  product(const race_problem& problem, order wanted) : problem_(problem), order_(wanted) {}
  ~product() override {
    const locked lock;
    for (object* one : {&left_, &right_, &result_}) *one = object();
  }
  void poison() override { drop(); }  // the next run allocates its output
  void forget() override { drop(); }
  void run() override {
    const locked lock;
    result_ = object();
    result_ = checked(PyNumber_MatrixMultiply(left_.get(), right_.get()), "A @ B");
    if (order_ == order::sorted) {
      checked(PyObject_CallMethod(result_.get(), "sort_indices", nullptr), "sort_indices");
    }
  }

 protected:
  void drop() {
    const locked lock;
    result_ = object();
  }

  race_problem problem_;
  order order_;
  object left_, right_, result_;
};

template <class T>
class dense_product : public product {
 public:
  explicit dense_product(const race_problem& problem) : product(problem, order::unsorted) {}
  void prepare() override {
    const locked lock;
    left_ = csr<T>(problem_.a);
    const index_t size = problem_.a.cols * problem_.columns;
    const object values = memory(problem_.x, size * static_cast<index_t>(sizeof(T)));
    right_ = checked(
        PyObject_CallFunction(function("dense"), "LLOs", static_cast<long long>(problem_.a.cols),
                              static_cast<long long>(problem_.columns), values.get(), type_name<T>),
        "a dense operand");
  }
  using contestant::answer;
  void answer(const dense_answer& out) override {
    const locked lock;
    const object c =
        checked(PyObject_CallFunction(function("dense_out"), "Os", result_.get(), type_name<T>),
                "a result");
    copy_out(c.get(), static_cast<T*>(out.values),
             static_cast<std::size_t>(problem_.a.rows * problem_.columns));
  }
};

template <class T, order Order>
class spgemm : public product {
 public:
  explicit spgemm(const race_problem& problem) : product(problem, Order) {}
  void prepare() override {
    const locked lock;
    left_ = csr<T>(problem_.a);
    right_ = csr<T>(problem_.b);
  }
  using contestant::answer;
  void answer(sparse_answer& out) override {
    const locked lock;
    const object parts =
        checked(PyObject_CallFunction(function("sparse_out"), "O", result_.get()), "a result");
    out.offsets = copy_out<std::int64_t>(PyTuple_GetItem(parts.get(), 0));
    out.columns = copy_out<std::int32_t>(PyTuple_GetItem(parts.get(), 1));
    out.values = copy_out<double>(PyTuple_GetItem(parts.get(), 2));
  }
};

template <class T>
using spgemm_unsorted = spgemm<T, order::unsorted>;
template <class T>
using spgemm_sorted = spgemm<T, order::sorted>;

void check(PyStatus status, PyConfig& config) {
  if (!PyStatus_Exception(status)) return;
  const std::string said = status.err_msg != nullptr ? status.err_msg : "no text";
  PyConfig_Clear(&config);
  throw std::runtime_error("Python does not start: " + said);
}

/// Isolated: no environment variables, no user's packages, no signal handlers.
void start_interpreter() {
  Dl_info libpython;
  if (dladdr(reinterpret_cast<void*>(&Py_InitializeFromConfig), &libpython) == 0 ||
      dlopen(libpython.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD) == nullptr) {
    throw std::runtime_error("the names of libpython cannot be made global");
  }
  if (Py_IsInitialized() != 0) return;
  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  config.install_signal_handlers = 0;
  check(PyConfig_SetBytesString(&config, &config.program_name, GOSSAMER_PEER_PYTHON), config);
  check(Py_InitializeFromConfig(&config), config);
  PyConfig_Clear(&config);
  PyEval_SaveThread();
}

peer describe() {
  start_interpreter();
  const locked lock;
  functions = PyDict_New();
  PyDict_SetItemString(functions, "__builtins__", PyEval_GetBuiltins());
  checked(PyRun_String(glue, Py_file_input, functions, functions), "import of numpy and scipy");
  const object version = checked(PyObject_GetAttrString(function("scipy"), "__version__"), "scipy");
  peer scipy{.name = "scipy", .title = "SciPy", .backend = "openmp"};
  scipy.version = PyUnicode_AsUTF8(version.get());
  scipy.entries = {{.name = "scipy/csr",
                    .product = operation::spmv,
                    .how = "csr_matrix @ x",
                    .threaded = false,
                    .make = make_any<dense_product>},
                   {.name = "scipy/csr",
                    .product = operation::spmm,
                    .how = "csr_matrix @ B, row-major",
                    .threaded = false,
                    .make = make_any<dense_product>},
                   {.name = "scipy/unsorted",
                    .product = operation::spgemm,
                    .how = "csr_matrix @ csr_matrix",
                    .sorted = false,
                    .keeps_zeros = false,
                    .threaded = false,
                    .make = make_any<spgemm_unsorted>},
                   {.name = "scipy/sorted",
                    .product = operation::spgemm,
                    .how = "csr_matrix @ csr_matrix, sort_indices()",
                    .keeps_zeros = false,
                    .threaded = false,
                    .make = make_any<spgemm_sorted>}};
  return scipy;
}

}  // namespace
}  // namespace gossamer::bench

const gossamer::bench::peer& gossamer_peer() {
  static const gossamer::bench::peer scipy = gossamer::bench::describe();
  return scipy;
}
