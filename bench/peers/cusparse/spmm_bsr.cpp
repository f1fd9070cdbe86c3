// C = A B by cusparseSpMM, A in blocks of 4 x 4 (BSR), B and C dense and row-major, padded to whole
// blocks.
#include <stdexcept>

#include "bench/peers/cusparse/blocks.hpp"
#include "bench/peers/cusparse/products.hpp"

namespace gossamer::bench::cusparse {
namespace {

constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto algorithm = CUSPARSE_SPMM_BSR_ALG1;
constexpr index_t side = 4, most_fill = 4;

class spmm_bsr final : public device_contestant {
 public:
  explicit spmm_bsr(const race_problem& p) : device_contestant(p) {}

  void prepare() override {
    const auto& p = problem_;
    const index_t blocks = count_blocks(p.a, side);
    if (blocks * side * side > most_fill * p.a.nnz())
      throw std::runtime_error("blocks of 4 x 4 would hold more than 4 times the nonzeros");
    if (p.type == value_type::f64)
      upload_blocks<double>();
    else
      upload_blocks<float>();
    b_ = device_array(bytes_of(rounded(p.a.cols) * p.columns), "B");
    check(cudaMemsetAsync(b_.data(), 0, b_.bytes(), session::current().stream()),
          "cudaMemsetAsync");
    check(cudaMemcpyAsync(b_.data(), p.x, bytes_of(p.a.cols * p.columns), cudaMemcpyHostToDevice,
                          session::current().stream()),
          "cudaMemcpyAsync to the device");
    c_ = device_array(bytes_of(rounded(p.a.rows) * p.columns), "C");
    b_descriptor_ = describe(b_, rounded(p.a.cols));
    c_descriptor_ = describe(c_, rounded(p.a.rows));
    std::size_t bytes = 0;
    check(cusparseSpMM_bufferSize(handle(), plain, plain, scalars_.one(), a_.get(),
                                  b_descriptor_.get(), scalars_.zero(), c_descriptor_.get(),
                                  compute_type(), algorithm, &bytes),
          "cusparseSpMM_bufferSize");
    workspace_ = device_array(bytes, "the workspace of cusparseSpMM");
    session::current().wait();
  }

  void poison() override {
    check(cudaMemsetAsync(c_.data(), 0xff, c_.bytes(), session::current().stream()),
          "cudaMemsetAsync");
    session::current().wait();
  }

  void run() override {
    timed([&] {
      check(cusparseSpMM(handle(), plain, plain, scalars_.one(), a_.get(), b_descriptor_.get(),
                         scalars_.zero(), c_descriptor_.get(), compute_type(), algorithm,
                         workspace_.data()),
            "cusparseSpMM");
    });
  }

  void answer(const dense_answer& to) override {
    download(to.values, c_, bytes_of(problem_.a.rows * problem_.columns));
  }

 private:
  static cusparseHandle_t handle() { return session::current().handle(); }
  static index_t rounded(index_t n) { return (n + side - 1) / side * side; }

  template <class T>
  void upload_blocks() {
    const auto blocks = in_blocks<T>(problem_.a, side);
    const auto copy = [](const auto& from, const char* what) {
      return upload(from.data(), from.size() * sizeof(from[0]), what);
    };
    offsets_ = copy(blocks.offsets, "row offsets of blocks");
    columns_ = copy(blocks.columns, "columns of blocks");
    values_ = copy(blocks.values, "blocks");
    cusparseSpMatDescr_t descriptor = nullptr;
    check(cusparseCreateBsr(&descriptor, blocks.rows, blocks.cols,
                            static_cast<std::int64_t>(blocks.columns.size()), side, side,
                            offsets_.data(), columns_.data(), values_.data(), CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, compute_type(),
                            CUSPARSE_ORDER_ROW),
          "cusparseCreateBsr");
    a_.reset(descriptor);
  }

  dense_descriptor describe(const device_array& values, index_t rows) const {
    cusparseDnMatDescr_t result = nullptr;
    check(cusparseCreateDnMat(&result, rows, problem_.columns, problem_.columns, values.data(),
                              compute_type(), CUSPARSE_ORDER_ROW),
          "cusparseCreateDnMat");
    return dense_descriptor(result);
  }

  device_array offsets_, columns_, values_, b_, c_, workspace_;
  sparse_descriptor a_;
  dense_descriptor b_descriptor_, c_descriptor_;
};

}  // namespace

std::unique_ptr<contestant> make_spmm_bsr(const race_problem& p) {
  return std::make_unique<spmm_bsr>(p);
}

}  // namespace gossamer::bench::cusparse
