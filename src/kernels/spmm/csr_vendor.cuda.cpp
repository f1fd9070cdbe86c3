// CSR times a dense block by NVIDIA's cuSPARSE, by the algorithm that was fastest for such widths;
// tuning "algorithm=1", 2 or 3 asks for another. The library is loaded when the kernel is first
// considered, so that programs start without it.
#include "backends/cuda/arrays.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/cusparse.hpp"
#include "backends/cuda/device.hpp"
#include "kernels/spmm/cuda/vendor_algorithm.hpp"
#include "kernels/spmm/operands/dense_arguments.hpp"
#include "plan/costs.hpp"
#include "plan/tuning.hpp"

namespace gossamer {

namespace {

constexpr std::string_view id = "spmm/csr/vendor/cuda", parameters = "algorithm";

/// The functions of cuSPARSE that are used here, or why they are missing.
struct vendor_library : cuda::cusparse_library {
  decltype(&cusparseCreateDnMat) create_dense = nullptr;
  decltype(&cusparseDestroyDnMat) destroy_dense = nullptr;
  decltype(&cusparseSpMM_bufferSize) buffer_size = nullptr;
  decltype(&cusparseSpMM_preprocess) preprocess = nullptr;
  decltype(&cusparseSpMM) spmm = nullptr;

  vendor_library() {
    find(create_dense, "cusparseCreateDnMat");
    find(destroy_dense, "cusparseDestroyDnMat");
    find(buffer_size, "cusparseSpMM_bufferSize");
    find(preprocess, "cusparseSpMM_preprocess");
    find(spmm, "cusparseSpMM");
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

/// A dense operand for the duration of a call: its address and stride may differ from the plan's.
class dense_descriptor {
 public:
  /// cuSPARSE wants B and C in one layout: where `order` is not that of the operand, the operand is
  /// described as its transpose.
  template <class T>
  dense_descriptor(const dense_view<T>& v, layout order) : turned_(v.order != order) {
    using value = std::remove_const_t<T>;
    const auto [rows, cols] = v.shape;
    check(
        vendor().create_dense(&descriptor_, turned_ ? cols : rows, turned_ ? rows : cols, v.stride,
                              const_cast<value*>(v.values), cusparse_value<value>,
                              order == layout::row_major ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL),
        "cusparseCreateDnMat");
  }
  dense_descriptor(const dense_descriptor&) = delete;
  dense_descriptor& operator=(const dense_descriptor&) = delete;
  ~dense_descriptor() { vendor().destroy_dense(descriptor_); }

  cusparseDnMatDescr_t get() const { return descriptor_; }
  cusparseOperation_t operation() const { return turned_ ? CUSPARSE_OPERATION_TRANSPOSE : plain; }

 private:
  cusparseDnMatDescr_t descriptor_ = nullptr;
  bool turned_;
};

/// The descriptor of A, with the arrays of the last call, and the memory that cuSPARSE writes to:
/// the workspace of a plan.
struct prepared_call {
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t a = nullptr;
  cusparseSpMMAlg_t algorithm = CUSPARSE_SPMM_CSR_ALG2;
  buffer<std::byte> scratch;

  prepared_call() { check(vendor().create(&handle), "cusparseCreate"); }
  prepared_call(const prepared_call&) = delete;
  prepared_call& operator=(const prepared_call&) = delete;
  ~prepared_call() {
    if (a) vendor().destroy_matrix(a);
    vendor().destroy(handle);
  }

  template <class T>
  void describe(const csr_view<const T>& m) {
    check(vendor().create_csr(&a, m.shape.rows, m.shape.cols, m.nnz(),
                              cusparse_input(m.offsets.data()), cusparse_input(m.columns.data()),
                              cusparse_input(m.values), cuda::cusparse_index(m.offsets.width()),
                              cuda::cusparse_index(m.columns.width()), CUSPARSE_INDEX_BASE_ZERO,
                              cusparse_value<T>),
          "cusparseCreateCsr");
  }
  template <class T>
  void preprocess(const dense_call<T>& d, const context& where) {
    const dense_descriptor b(d.b, d.c.order), c(d.c, d.c.order);
    std::size_t bytes = 0;
    check(vendor().buffer_size(handle, plain, b.operation(), &d.alpha, a, b.get(), &d.beta, c.get(),
                               cusparse_value<T>, algorithm, &bytes),
          "cusparseSpMM_bufferSize");
    scratch = buffer<std::byte>(std::max<index_t>(1, static_cast<index_t>(bytes)), where.memory());
    check(vendor().preprocess(handle, plain, b.operation(), &d.alpha, a, b.get(), &d.beta, c.get(),
                              cusparse_value<T>, algorithm, scratch.data()),
          "cusparseSpMM_preprocess");
  }
  template <class T>
  void multiply(const csr_view<const T>& m, const dense_call<T>& d) {
    check(vendor().set_pointers(a, cusparse_input(m.offsets.data()),
                                cusparse_input(m.columns.data()), cusparse_input(m.values)),
          "cusparseCsrSetPointers");
    const dense_descriptor b(d.b, d.c.order), c(d.c, d.c.order);
    check(vendor().spmm(handle, plain, b.operation(), &d.alpha, a, b.get(), &d.beta, c.get(),
                        cusparse_value<T>, algorithm, scratch.data()),
          "cusparseSpMM");
  }
};

cusparseSpMMAlg_t algorithm_for(const problem& p) {
  const int best =
      device::vendor_algorithm({.columns = p.result.cols,
                                .value_bytes = static_cast<int>(bytes(p.a.values)),
                                .mean_row = costs::mean_row(p),
                                .longest_row = static_cast<double>(p.rows.longest_on_device),
                                .row_major = p.dense.result_order == layout::row_major});
  const index_t asked = tuning(p.options.tuning, id, parameters).number("algorithm", best, 1);
  if (asked > 3)
    throw fail(error_kind::bad_argument, "{} has algorithms 1, 2 and 3, not {}", id, asked);
  constexpr cusparseSpMMAlg_t all[] = {CUSPARSE_SPMM_CSR_ALG1, CUSPARSE_SPMM_CSR_ALG2,
                                       CUSPARSE_SPMM_CSR_ALG3};
  return all[asked - 1];
}

/// cuSPARSE accepts neither an empty matrix nor an empty block.
bool is_empty(const problem& p) { return p.a.nnz == 0 || p.result.cols == 0; }

state prepare(const problem& p, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  const auto algorithm = algorithm_for(p);
  if (is_empty(p)) return {};
  auto used = std::make_shared<prepared_call>();
  used->algorithm = algorithm;
  check(vendor().set_stream(used->handle, cuda::stream_of(where)), "cusparseSetStream");
  visit_real(
      [&]<class T>(const expression<T>& e) {
        used->describe(std::get<csr_view<const T>>(e.view));
        used->preprocess(dense_arguments<T>(o), where);
      },
      o.a);
  const index_t held = used->scratch.size();
  return {.workspace = std::move(used), .bytes = held};
}

void run(const state& prepared, const operands& o, const context& where) {
  const cuda::device_guard on(where);
  visit_real(
      [&]<class T>(const expression<T>& e) {
        const auto d = dense_arguments<T>(o);
        if (prepared.workspace)
          prepared.workspace_as<prepared_call>().multiply(std::get<csr_view<const T>>(e.view), d);
        else
          cuda::scale(where, d.c, d.beta);  // nothing is added to beta C
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
          .run_seconds =
              costs::device_part(costs::device_dense_product(p, m), costs::device_dense_vendor),
          .because = "cuSPARSE, its algorithm for this width after preprocessing"};
}

}  // namespace

extern const kernel spmm_csr_vendor_cuda;
const kernel spmm_csr_vendor_cuda{.id = id,
                                  .summary = "NVIDIA's cuSPARSE, if installed",
                                  .reference = "docs/kernels/spmm-cuda.md",
                                  .deterministic = false,
                                  .consider = consider,
                                  .prepare = prepare,
                                  .run = run,
                                  .parameters = parameters};

}  // namespace gossamer
