// CSR by NVIDIA's cuSPARSE ("vendor" in Anzt et al. 2020): its preprocessed algorithm for CSR. The
// library is loaded when the kernel is first considered, so that programs start without it.
#include <cusparse.h>
#include <dlfcn.h>

#include "backends/cuda/arrays.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/device.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

/// The functions of cuSPARSE that are used here, or why they are missing.
struct vendor_library {
  decltype(&cusparseCreate) create = nullptr;
  decltype(&cusparseDestroy) destroy = nullptr;
  decltype(&cusparseSetStream) set_stream = nullptr;
  decltype(&cusparseGetErrorString) error_string = nullptr;
  decltype(&cusparseCreateCsr) create_csr = nullptr;
  decltype(&cusparseCsrSetPointers) set_pointers = nullptr;
  decltype(&cusparseDestroySpMat) destroy_matrix = nullptr;
  decltype(&cusparseCreateDnVec) create_vector = nullptr;
  decltype(&cusparseDnVecSetValues) set_values = nullptr;
  decltype(&cusparseDestroyDnVec) destroy_vector = nullptr;
  decltype(&cusparseSpMV_bufferSize) buffer_size = nullptr;
  decltype(&cusparseSpMV_preprocess) preprocess = nullptr;
  decltype(&cusparseSpMV) spmv = nullptr;
  std::string why_not;

  vendor_library() {
    const std::string file = "libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR);
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      why_not = file + " is not installed here";
      return;
    }
    const auto find = [&](auto& function, const char* name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (!function) why_not = file + " has no " + name;
    };
    find(create, "cusparseCreate");
    find(destroy, "cusparseDestroy");
    find(set_stream, "cusparseSetStream");
    find(error_string, "cusparseGetErrorString");
    find(create_csr, "cusparseCreateCsr");
    find(set_pointers, "cusparseCsrSetPointers");
    find(destroy_matrix, "cusparseDestroySpMat");
    find(create_vector, "cusparseCreateDnVec");
    find(set_values, "cusparseDnVecSetValues");
    find(destroy_vector, "cusparseDestroyDnVec");
    find(buffer_size, "cusparseSpMV_bufferSize");
    find(preprocess, "cusparseSpMV_preprocess");
    find(spmv, "cusparseSpMV");
  }
};

const vendor_library& vendor() {
  static const vendor_library found;
  return found;
}

void check(cusparseStatus_t status, const char* call) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw fail(error_kind::device_failure, "{}: {}", call, vendor().error_string(status));
}

constexpr cusparseIndexType_t type_of(index_width w) {
  return w == index_width::i32 ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
}
template <class T>
constexpr cudaDataType value_type_code = std::same_as<T, double> ? CUDA_R_64F : CUDA_R_32F;
constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto algorithm = CUSPARSE_SPMV_CSR_ALG1;

/// Descriptors over the arrays of a call, updated for each call.
struct tables {
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t x = nullptr, y = nullptr;
  buffer<std::byte> workspace;

  tables() { check(vendor().create(&handle), "cusparseCreate"); }
  tables(const tables&) = delete;
  tables& operator=(const tables&) = delete;
  ~tables() {
    if (a) vendor().destroy_matrix(a);
    if (x) vendor().destroy_vector(x);
    if (y) vendor().destroy_vector(y);
    vendor().destroy(handle);
  }
};

template <class T>
void describe(tables& t, const csr_view<const T>& a, const vector_call<T>& v) {
  constexpr auto type = value_type_code<T>;
  check(vendor().create_csr(
            &t.a, a.shape.rows, a.shape.cols, a.nnz(), const_cast<void*>(a.offsets.data()),
            const_cast<void*>(a.columns.data()), const_cast<T*>(a.values),
            type_of(a.offsets.width()), type_of(a.columns.width()), CUSPARSE_INDEX_BASE_ZERO, type),
        "cusparseCreateCsr");
  check(vendor().create_vector(&t.x, a.shape.cols, const_cast<T*>(v.x), type),
        "cusparseCreateDnVec");
  check(vendor().create_vector(&t.y, a.shape.rows, v.y, type), "cusparseCreateDnVec");
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  if (p.a.nnz == 0) return {};  // cuSPARSE does not accept an empty matrix
  auto table = std::make_shared<tables>();
  check(vendor().set_stream(table->handle, cuda::stream_of(where)), "cusparseSetStream");
  std::visit(
      [&]<class T>(const expression<T>& e) {
        const auto v = vector_arguments<T>(o);
        describe(*table, std::get<csr_view<const T>>(e.view), v);
        std::size_t bytes = 0;
        check(vendor().buffer_size(table->handle, plain, &v.alpha, table->a, table->x, &v.beta,
                                   table->y, value_type_code<T>, algorithm, &bytes),
              "cusparseSpMV_bufferSize");
        table->workspace =
            buffer<std::byte>(std::max<index_t>(1, static_cast<index_t>(bytes)), where.memory());
        check(vendor().preprocess(table->handle, plain, &v.alpha, table->a, table->x, &v.beta,
                                  table->y, value_type_code<T>, algorithm, table->workspace.data()),
              "cusparseSpMV_preprocess");
      },
      o.a);
  const index_t held = table->workspace.size();
  return {.tables = std::move(table), .bytes = held};
}

/// An empty matrix adds nothing to beta y.
template <class T>
void scale_empty(const context& where, const operands& o, const dense_view<T>& y) {
  cuda::scale(where, y, o.beta_as<T>());
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  if (!prepared.tables)
    return std::visit([&](const auto& y) { scale_empty(where, o, y); }, *o.dense);
  const auto& table = prepared.as<tables>();
  std::visit(
      [&]<class T>(const expression<T>& e) {
        const auto& a = std::get<csr_view<const T>>(e.view);
        const auto v = vector_arguments<T>(o);
        check(vendor().set_pointers(table.a, const_cast<void*>(a.offsets.data()),
                                    const_cast<void*>(a.columns.data()), const_cast<T*>(a.values)),
              "cusparseCsrSetPointers");
        check(vendor().set_values(table.x, const_cast<T*>(v.x)), "cusparseDnVecSetValues");
        check(vendor().set_values(table.y, v.y), "cusparseDnVecSetValues");
        check(vendor().spmv(table.handle, plain, &v.alpha, table.a, table.x, &v.beta, table.y,
                            value_type_code<T>, algorithm,
                            const_cast<std::byte*>(table.workspace.data())),
              "cusparseSpMV");
      },
      o.a);
}

verdict consider(const problem& p, const machine& m) {
  if (p.a.format != format::csr) return {.because = "takes CSR"};
  if (p.a.index.indices != p.a.index.offsets)
    return {.because = "takes offsets and columns of the same width"};
  if (!vendor().why_not.empty()) return {.because = vendor().why_not};
  return {.possible = true,
          .prepare_seconds = costs::device_vendor_start,
          .run_seconds = costs::device_vendor * costs::device_product(p, m),
          .because = "cuSPARSE, its preprocessed algorithm for CSR"};
}

}  // namespace

extern const kernel spmv_csr_vendor_cuda;
const kernel spmv_csr_vendor_cuda{.id = "spmv/csr/vendor/cuda",
                                  .summary = "NVIDIA's cuSPARSE, if installed",
                                  .reference = "Anzt et al. 2020 (sparselib)",
                                  .deterministic = false,
                                  .consider = consider,
                                  .prepare = prepare,
                                  .run = run};

}  // namespace gossamer
