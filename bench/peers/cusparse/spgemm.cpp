// C = A B with all three in CSR, by cusparseSpGEMM and cusparseSpGEMMreuse.
#include <cstdint>
#include <vector>

#include "bench/peers/cusparse/products.hpp"

namespace gossamer::bench::cusparse {
namespace {

constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

/// Common base of both APIs: the operands, and the result C.
class sparse_product : public device_contestant {
 public:
  using device_contestant::device_contestant;

  void prepare() override {
    a_ = upload(problem_.a, problem_.type);
    b_ = upload(problem_.b, problem_.type);
  }

  void forget() override {
    c_ = {};
    session::current().wait();
  }

  using device_contestant::answer;
  void answer(sparse_answer& to) override {
    const auto rows = static_cast<std::size_t>(problem_.a.rows);
    const auto nnz = static_cast<std::size_t>(c_nnz_);
    std::vector<std::int32_t> offsets(rows + 1);
    download(offsets.data(), c_.offsets, offsets.size() * sizeof(std::int32_t));
    to.offsets.assign(offsets.begin(), offsets.end());
    to.columns.resize(nnz);
    download(to.columns.data(), c_.columns, nnz * sizeof(std::int32_t));
    to.values.resize(nnz);
    if (problem_.type == value_type::f64) {
      download(to.values.data(), c_.values, nnz * sizeof(double));
    } else {
      std::vector<float> values(nnz);
      download(values.data(), c_.values, nnz * sizeof(float));
      to.values.assign(values.begin(), values.end());
    }
  }

 protected:
  static cusparseHandle_t handle() { return session::current().handle(); }
  cusparseConstSpMatDescr_t a() const { return a_.descriptor.get(); }
  cusparseConstSpMatDescr_t b() const { return b_.descriptor.get(); }
  cusparseSpMatDescr_t c() const { return c_.descriptor.get(); }

  /// C with only its row offsets allocated; cuSPARSE reports later how many nonzeros it has.
  spgemm_descriptor begin() {
    c_ = {};
    const auto offsets = static_cast<std::size_t>(problem_.a.rows + 1);
    c_.offsets = device_array(offsets * sizeof(std::int32_t), "the row offsets of C");
    c_.descriptor = describe_csr(problem_.a.rows, problem_.b.cols, 0, c_, problem_.type);
    cusparseSpGEMMDescr_t result = nullptr;
    check(cusparseSpGEMM_createDescr(&result), "cusparseSpGEMM_createDescr");
    return spgemm_descriptor(result);
  }

  void allocate_entries() {
    std::int64_t rows = 0, cols = 0;
    check(cusparseSpMatGetSize(c(), &rows, &cols, &c_nnz_), "cusparseSpMatGetSize");
    const auto nnz = static_cast<std::size_t>(c_nnz_);
    c_.columns = device_array(nnz * sizeof(std::int32_t), "the columns of C");
    c_.values = device_array(nnz * size_of(problem_.type), "the values of C");
    check(cusparseCsrSetPointers(c(), c_.offsets.data(), c_.columns.data(), c_.values.data()),
          "cusparseCsrSetPointers");
  }

  device_csr c_;

 private:
  device_csr a_, b_;
  std::int64_t c_nnz_ = 0;
};

/// ALG3 computes the intermediate products in chunks of this share, to save memory; the share is
/// the one of NVIDIA's own sample.
constexpr float chunk_fraction = 0.2F;

class spgemm final : public sparse_product {
 public:
  spgemm(const race_problem& p, cusparseSpGEMMAlg_t algorithm)
      : sparse_product(p), algorithm_(algorithm) {}

  void run() override {
    timed([&] {
      const auto work = begin();
      const auto first = estimate_work(work.get());
      auto bytes = has_memory_estimate() ? estimate_memory(work.get()) : ask_compute(work.get());
      const device_array second(bytes, "the workspace of cusparseSpGEMM_compute");
      compute(work.get(), &bytes, second.data());
      allocate_entries();
      check(cusparseSpGEMM_copy(handle(), plain, plain, scalars_.one(), a(), b(), scalars_.zero(),
                                c(), compute_type(), algorithm_, work.get()),
            "cusparseSpGEMM_copy");
    });
  }

 private:
  bool has_memory_estimate() const {
    return algorithm_ == CUSPARSE_SPGEMM_ALG2 || algorithm_ == CUSPARSE_SPGEMM_ALG3;
  }

  device_array estimate_work(cusparseSpGEMMDescr_t work) {
    const auto call = [&](std::size_t* bytes, void* buffer) {
      check(cusparseSpGEMM_workEstimation(handle(), plain, plain, scalars_.one(), a(), b(),
                                          scalars_.zero(), c(), compute_type(), algorithm_, work,
                                          bytes, buffer),
            "cusparseSpGEMM_workEstimation");
    };
    std::size_t bytes = 0;
    call(&bytes, nullptr);
    device_array buffer(bytes, "the workspace of cusparseSpGEMM_workEstimation");
    call(&bytes, buffer.data());
    return buffer;
  }

  std::size_t estimate_memory(cusparseSpGEMMDescr_t work) {
    const auto call = [&](std::size_t* bytes, void* buffer, std::size_t* answer) {
      check(cusparseSpGEMM_estimateMemory(handle(), plain, plain, scalars_.one(), a(), b(),
                                          scalars_.zero(), c(), compute_type(), algorithm_, work,
                                          chunk_fraction, bytes, buffer, answer),
            "cusparseSpGEMM_estimateMemory");
    };
    std::size_t bytes = 0, answer = 0;
    call(&bytes, nullptr, nullptr);
    const device_array buffer(bytes, "the workspace of cusparseSpGEMM_estimateMemory");
    call(&bytes, buffer.data(), &answer);
    return answer;
  }

  std::size_t ask_compute(cusparseSpGEMMDescr_t work) {
    std::size_t bytes = 0;
    compute(work, &bytes, nullptr);
    return bytes;
  }

  void compute(cusparseSpGEMMDescr_t work, std::size_t* bytes, void* buffer) {
    check(cusparseSpGEMM_compute(handle(), plain, plain, scalars_.one(), a(), b(), scalars_.zero(),
                                 c(), compute_type(), algorithm_, work, bytes, buffer),
          "cusparseSpGEMM_compute");
  }

  cusparseSpGEMMAlg_t algorithm_;
};

class spgemm_reuse final : public sparse_product {
 public:
  spgemm_reuse(const race_problem& p, reuse_part part) : sparse_product(p), part_(part) {}

  void prepare() override {
    sparse_product::prepare();
    if (part_ == reuse_part::values) find_structure();
    session::current().wait();
  }

  void run() override {
    timed([&] {
      if (part_ == reuse_part::all) find_structure();
      check(
          cusparseSpGEMMreuse_compute(handle(), plain, plain, scalars_.one(), a(), b(),
                                      scalars_.zero(), c(), compute_type(), algorithm, work_.get()),
          "cusparseSpGEMMreuse_compute");
    });
  }

  void forget() override {
    if (part_ == reuse_part::values) return;  // C is the plan's
    work_.reset();
    fourth_ = nullptr;
    fifth_ = nullptr;
    sparse_product::forget();
  }

 private:
  static constexpr auto algorithm = CUSPARSE_SPGEMM_DEFAULT;

  void find_structure() {
    work_ = begin();
    const auto third = count_entries();
    allocate_entries();
    // The documentation does not say whether beta = 0 reads uninitialised values.
    check(cudaMemsetAsync(c_.values.data(), 0, c_.values.bytes(), session::current().stream()),
          "cudaMemsetAsync");
    const auto call = [&](std::size_t* bytes, void* buffer) {
      check(cusparseSpGEMMreuse_copy(handle(), plain, plain, a(), b(), c(), algorithm, work_.get(),
                                     bytes, buffer),
            "cusparseSpGEMMreuse_copy");
    };
    std::size_t bytes = 0;
    call(&bytes, nullptr);
    fifth_ = device_array(bytes, "the workspace of cusparseSpGEMMreuse_copy");
    call(&bytes, fifth_.data());
  }

  /// The buffers are numbered as in cuSPARSE's manual: the third is needed until the structure is
  /// copied, the fourth and the fifth until the last product.
  device_array count_entries() {
    const auto estimate = [&](std::size_t* bytes, void* buffer) {
      check(cusparseSpGEMMreuse_workEstimation(handle(), plain, plain, a(), b(), c(), algorithm,
                                               work_.get(), bytes, buffer),
            "cusparseSpGEMMreuse_workEstimation");
    };
    std::size_t one = 0, two = 0, three = 0, four = 0;
    estimate(&one, nullptr);
    const device_array first(one, "the workspace of cusparseSpGEMMreuse_workEstimation");
    estimate(&one, first.data());

    const auto count = [&](void* second, void* third, void* fourth) {
      check(cusparseSpGEMMreuse_nnz(handle(), plain, plain, a(), b(), c(), algorithm, work_.get(),
                                    &two, second, &three, third, &four, fourth),
            "cusparseSpGEMMreuse_nnz");
    };
    count(nullptr, nullptr, nullptr);
    const device_array second(two, "a workspace of cusparseSpGEMMreuse_nnz");
    device_array third(three, "a workspace of cusparseSpGEMMreuse_nnz");
    fourth_ = device_array(four, "a workspace of cusparseSpGEMMreuse_nnz");
    count(second.data(), third.data(), fourth_.data());
    return third;
  }

  reuse_part part_;
  spgemm_descriptor work_;
  device_array fourth_, fifth_;
};

}  // namespace

std::unique_ptr<contestant> make_spgemm(const race_problem& p, cusparseSpGEMMAlg_t algorithm) {
  return std::make_unique<spgemm>(p, algorithm);
}

std::unique_ptr<contestant> make_spgemm_reuse(const race_problem& p, reuse_part part) {
  return std::make_unique<spgemm_reuse>(p, part);
}

}  // namespace gossamer::bench::cusparse
