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

/// Descriptors over the arrays of a call, updated for each call, and the memory that cuSPARSE
/// writes to: the workspace of a plan.
struct descriptors {
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t x = nullptr, y = nullptr;
  buffer<std::byte> scratch;

  descriptors() { check(vendor().create(&handle), "cusparseCreate"); }
  descriptors(const descriptors&) = delete;
  descriptors& operator=(const descriptors&) = delete;
  ~descriptors() {
    if (a) vendor().destroy_matrix(a);
    if (x) vendor().destroy_vector(x);
    if (y) vendor().destroy_vector(y);
    vendor().destroy(handle);
  }
};

/// cuSPARSE takes its inputs by pointers to non-const and does not write to them.
template <class T>
T* input(const T* array) {
  return const_cast<T*>(array);
}

template <class T>
void describe(descriptors& t, const csr_view<const T>& a, const vector_call<T>& v) {
  constexpr auto type = value_type_code<T>;
  check(vendor().create_csr(&t.a, a.shape.rows, a.shape.cols, a.nnz(), input(a.offsets.data()),
                            input(a.columns.data()), input(a.values), type_of(a.offsets.width()),
                            type_of(a.columns.width()), CUSPARSE_INDEX_BASE_ZERO, type),
        "cusparseCreateCsr");
  check(vendor().create_vector(&t.x, a.shape.cols, input(v.x), type), "cusparseCreateDnVec");
  check(vendor().create_vector(&t.y, a.shape.rows, v.y, type), "cusparseCreateDnVec");
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  if (p.a.nnz == 0) return {};  // cuSPARSE does not accept an empty matrix
  auto used = std::make_shared<descriptors>();
  check(vendor().set_stream(used->handle, cuda::stream_of(where)), "cusparseSetStream");
  std::visit(
      [&]<class T>(const expression<T>& e) {
        const auto v = vector_arguments<T>(o);
        describe(*used, std::get<csr_view<const T>>(e.view), v);
        std::size_t bytes = 0;
        check(vendor().buffer_size(used->handle, plain, &v.alpha, used->a, used->x, &v.beta,
                                   used->y, value_type_code<T>, algorithm, &bytes),
              "cusparseSpMV_bufferSize");
        used->scratch =
            buffer<std::byte>(std::max<index_t>(1, static_cast<index_t>(bytes)), where.memory());
        check(vendor().preprocess(used->handle, plain, &v.alpha, used->a, used->x, &v.beta, used->y,
                                  value_type_code<T>, algorithm, used->scratch.data()),
              "cusparseSpMV_preprocess");
      },
      o.a);
  const index_t held = used->scratch.size();
  return {.workspace = std::move(used), .bytes = held};
}

/// An empty matrix adds nothing to beta y.
template <class T>
void scale_empty(const context& where, const operands& o, const dense_view<T>& y) {
  cuda::scale(where, y, o.beta_as<T>());
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  if (!prepared.workspace)
    return std::visit([&](const auto& y) { scale_empty(where, o, y); }, *o.dense);
  auto& used = prepared.workspace_as<descriptors>();
  std::visit(
      [&]<class T>(const expression<T>& e) {
        const auto& a = std::get<csr_view<const T>>(e.view);
        const auto v = vector_arguments<T>(o);
        check(vendor().set_pointers(used.a, input(a.offsets.data()), input(a.columns.data()),
                                    input(a.values)),
              "cusparseCsrSetPointers");
        check(vendor().set_values(used.x, input(v.x)), "cusparseDnVecSetValues");
        check(vendor().set_values(used.y, v.y), "cusparseDnVecSetValues");
        check(vendor().spmv(used.handle, plain, &v.alpha, used.a, used.x, &v.beta, used.y,
                            value_type_code<T>, algorithm, used.scratch.data()),
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
