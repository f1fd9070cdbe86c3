// CSR by NVIDIA's cuSPARSE ("vendor" in Anzt et al. 2020): its preprocessed algorithm for CSR. The
// library is loaded when the kernel is first considered, so that programs start without it.
#include "backends/cuda/arrays.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/cusparse.hpp"
#include "backends/cuda/device.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

/// The functions of cuSPARSE that are used here, or why they are missing.
struct vendor_library : cuda::cusparse_library {
  decltype(&cusparseCreateDnVec) create_vector = nullptr;
  decltype(&cusparseDnVecSetValues) set_values = nullptr;
  decltype(&cusparseDestroyDnVec) destroy_vector = nullptr;
  decltype(&cusparseSpMV_bufferSize) buffer_size = nullptr;
  decltype(&cusparseSpMV_preprocess) preprocess = nullptr;
  decltype(&cusparseSpMV) spmv = nullptr;

  vendor_library() {
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

void check(cusparseStatus_t status, const char* call) { vendor().check(status, call); }

using cuda::cusparse_input;
using cuda::cusparse_value;
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

template <class T>
void describe(descriptors& t, const csr_view<const T>& a, const vector_call<T>& v) {
  constexpr auto type = cusparse_value<T>;
  check(
      vendor().create_csr(&t.a, a.shape.rows, a.shape.cols, a.nnz(),
                          cusparse_input(a.offsets.data()), cusparse_input(a.columns.data()),
                          cusparse_input(a.values), cuda::cusparse_index(a.offsets.width()),
                          cuda::cusparse_index(a.columns.width()), CUSPARSE_INDEX_BASE_ZERO, type),
      "cusparseCreateCsr");
  check(vendor().create_vector(&t.x, a.shape.cols, cusparse_input(v.x), type),
        "cusparseCreateDnVec");
  check(vendor().create_vector(&t.y, a.shape.rows, v.y, type), "cusparseCreateDnVec");
}

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  if (p.a.nnz == 0) return {};  // cuSPARSE does not accept an empty matrix
  auto used = std::make_shared<descriptors>();
  check(vendor().set_stream(used->handle, cuda::stream_of(where)), "cusparseSetStream");
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto v = vector_arguments<T>(o);
        describe(*used, std::get<csr_view<const T>>(e.view), v);
        std::size_t bytes = 0;
        check(vendor().buffer_size(used->handle, plain, &v.alpha, used->a, used->x, &v.beta,
                                   used->y, cusparse_value<T>, algorithm, &bytes),
              "cusparseSpMV_bufferSize");
        used->scratch =
            buffer<std::byte>(std::max<index_t>(1, static_cast<index_t>(bytes)), where.memory());
        check(vendor().preprocess(used->handle, plain, &v.alpha, used->a, used->x, &v.beta, used->y,
                                  cusparse_value<T>, algorithm, used->scratch.data()),
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
    return visit_real([&](const auto& y) { scale_empty(where, o, y); }, *o.dense);
  auto& used = prepared.workspace_as<descriptors>();
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto& a = std::get<csr_view<const T>>(e.view);
        const auto v = vector_arguments<T>(o);
        check(vendor().set_pointers(used.a, cusparse_input(a.offsets.data()),
                                    cusparse_input(a.columns.data()), cusparse_input(a.values)),
              "cusparseCsrSetPointers");
        check(vendor().set_values(used.x, cusparse_input(v.x)), "cusparseDnVecSetValues");
        check(vendor().set_values(used.y, v.y), "cusparseDnVecSetValues");
        check(vendor().spmv(used.handle, plain, &v.alpha, used.a, used.x, &v.beta, used.y,
                            cusparse_value<T>, algorithm, used.scratch.data()),
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
