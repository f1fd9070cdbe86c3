// C = A B by cusparseSpMM, A in CSR, B and C dense and row-major.
#include "bench/peers/cusparse/products.hpp"

namespace gossamer::bench::cusparse {
namespace {

constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

class spmm final : public device_contestant {
 public:
  spmm(const race_problem& p, cusparseSpMMAlg_t algorithm)
      : device_contestant(p), algorithm_(algorithm) {}

  void prepare() override {
    const auto& p = problem_;
    a_ = upload(p.a, p.type);
    b_ = upload_shared(p.x, bytes_of(p.a.cols * p.columns), "B");
    c_ = device_array(bytes_of(p.a.rows * p.columns), "C");
    b_descriptor_ = describe(*b_, p.a.cols);
    c_descriptor_ = describe(c_, p.a.rows);
    std::size_t bytes = 0;
    check(cusparseSpMM_bufferSize(handle(), plain, plain, scalars_.one(), a_.descriptor.get(),
                                  b_descriptor_.get(), scalars_.zero(), c_descriptor_.get(),
                                  compute_type(), algorithm_, &bytes),
          "cusparseSpMM_bufferSize");
    workspace_ = device_array(bytes, "the workspace of cusparseSpMM");
    check(cusparseSpMM_preprocess(handle(), plain, plain, scalars_.one(), a_.descriptor.get(),
                                  b_descriptor_.get(), scalars_.zero(), c_descriptor_.get(),
                                  compute_type(), algorithm_, workspace_.data()),
          "cusparseSpMM_preprocess");
    session::current().wait();
  }

  void poison() override {
    check(cudaMemsetAsync(c_.data(), 0xff, c_.bytes(), session::current().stream()),
          "cudaMemsetAsync");
    session::current().wait();
  }

  void run() override {
    timed([&] {
      check(cusparseSpMM(handle(), plain, plain, scalars_.one(), a_.descriptor.get(),
                         b_descriptor_.get(), scalars_.zero(), c_descriptor_.get(), compute_type(),
                         algorithm_, workspace_.data()),
            "cusparseSpMM");
    });
  }

  void answer(const dense_answer& to) override { download(to.values, c_, c_.bytes()); }

 private:
  static cusparseHandle_t handle() { return session::current().handle(); }

  dense_descriptor describe(const device_array& values, index_t rows) const {
    cusparseDnMatDescr_t result = nullptr;
    check(cusparseCreateDnMat(&result, rows, problem_.columns, problem_.columns, values.data(),
                              compute_type(), CUSPARSE_ORDER_ROW),
          "cusparseCreateDnMat");
    return dense_descriptor(result);
  }

  cusparseSpMMAlg_t algorithm_;
  device_csr a_;
  std::shared_ptr<const device_array> b_;  // the same for all algorithms
  device_array c_, workspace_;
  dense_descriptor b_descriptor_, c_descriptor_;
};

}  // namespace

std::unique_ptr<contestant> make_spmm(const race_problem& p, cusparseSpMMAlg_t algorithm) {
  return std::make_unique<spmm>(p, algorithm);
}

}  // namespace gossamer::bench::cusparse
