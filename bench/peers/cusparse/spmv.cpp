// y = A x by cusparseSpMV, with A in CSR, COO or sliced ELL.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/peers/cusparse/products.hpp"

namespace gossamer::bench::cusparse {
namespace {

/// A on the device in any of the three formats: `offsets` are those of rows or of slices, or the
/// row indices of COO.
using device_matrix = device_csr;

device_matrix upload_coo(const csr_arrays& a, value_type type) {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(a.nnz()));
  for (index_t i = 0; i < a.rows; ++i)
    std::fill(rows.begin() + a.offsets[i], rows.begin() + a.offsets[i + 1],
              static_cast<std::int32_t>(i));
  device_matrix matrix;
  matrix.offsets = upload(rows.data(), rows.size() * sizeof(std::int32_t), "row indices");
  matrix.columns = upload(a.columns, rows.size() * sizeof(std::int32_t), "columns");
  matrix.values = upload(a.values, rows.size() * size_of(type), "values");
  cusparseSpMatDescr_t descriptor = nullptr;
  check(cusparseCreateCoo(&descriptor, a.rows, a.cols, a.nnz(), matrix.offsets.data(),
                          matrix.columns.data(), matrix.values.data(), CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, data_type(type)),
        "cusparseCreateCoo");
  matrix.descriptor.reset(descriptor);
  return matrix;
}

/// Slices of 32 rows in the matrix's own order (the format knows no permutation), each as wide as
/// its longest row and stored by columns; places without an entry have column -1.
struct sliced_ell {
  static constexpr index_t slice = 32;
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<unsigned char> values;
};

constexpr index_t most_padding = 10;

std::vector<std::int32_t> slice_offsets(const csr_arrays& a) {
  std::vector<std::int32_t> offsets{0};
  index_t stored = 0;
  for (index_t first = 0; first < a.rows; first += sliced_ell::slice) {
    index_t width = 0;
    for (index_t i = first; i < std::min(a.rows, first + sliced_ell::slice); ++i)
      width = std::max<index_t>(width, a.offsets[i + 1] - a.offsets[i]);
    stored += width * sliced_ell::slice;
    if (stored > most_padding * std::max<index_t>(a.nnz(), sliced_ell::slice) ||
        stored > std::numeric_limits<std::int32_t>::max())
      throw std::runtime_error("sliced ELL would store more than " + std::to_string(most_padding) +
                               " places for each of the " + std::to_string(a.nnz()) +
                               " entries (slices of 32 rows), or more than 32 bits count");
    offsets.push_back(static_cast<std::int32_t>(stored));
  }
  return offsets;
}

sliced_ell make_sliced_ell(const csr_arrays& a, value_type type) {
  sliced_ell sliced;
  sliced.offsets = slice_offsets(a);
  const auto stored = static_cast<std::size_t>(sliced.offsets.back());
  const auto size = size_of(type);
  const auto* from = static_cast<const unsigned char*>(a.values);
  sliced.columns.assign(stored, -1);
  sliced.values.assign(stored * size, 0);
  for (index_t i = 0; i < a.rows; ++i) {
    auto place = static_cast<std::size_t>(
        sliced.offsets[static_cast<std::size_t>(i / sliced.slice)] + i % sliced.slice);
    for (auto k = a.offsets[i]; k < a.offsets[i + 1]; ++k, place += sliced.slice) {
      sliced.columns[place] = a.columns[k];
      std::memcpy(&sliced.values[place * size], from + static_cast<std::size_t>(k) * size, size);
    }
  }
  return sliced;
}

device_matrix upload_sliced_ell(const csr_arrays& a, value_type type) {
  const auto host = make_sliced_ell(a, type);
  device_matrix matrix;
  matrix.offsets =
      upload(host.offsets.data(), host.offsets.size() * sizeof(std::int32_t), "slices");
  matrix.columns =
      upload(host.columns.data(), host.columns.size() * sizeof(std::int32_t), "columns");
  matrix.values = upload(host.values.data(), host.values.size(), "values");
  cusparseSpMatDescr_t descriptor = nullptr;
  check(cusparseCreateSlicedEll(&descriptor, a.rows, a.cols, a.nnz(), host.offsets.back(),
                                host.slice, matrix.offsets.data(), matrix.columns.data(),
                                matrix.values.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_BASE_ZERO, data_type(type)),
        "cusparseCreateSlicedEll");
  matrix.descriptor.reset(descriptor);
  return matrix;
}

class spmv final : public device_contestant {
 public:
  spmv(const race_problem& p, cusparseSpMVAlg_t algorithm)
      : device_contestant(p), algorithm_(algorithm) {}

  void prepare() override {
    const auto& p = problem_;
    a_ = upload_matrix();
    x_ = upload(p.x, bytes_of(p.a.cols), "x");
    y_ = device_array(bytes_of(p.a.rows), "y");
    x_descriptor_ = describe(x_, p.a.cols);
    y_descriptor_ = describe(y_, p.a.rows);
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, scalars_.one(),
                                  a_.descriptor.get(), x_descriptor_.get(), scalars_.zero(),
                                  y_descriptor_.get(), compute_type(), algorithm_, &bytes),
          "cusparseSpMV_bufferSize");
    workspace_ = device_array(bytes, "the workspace of cusparseSpMV");
    if (algorithm_ == CUSPARSE_SPMV_CSR_ALG1)
      check(cusparseSpMV_preprocess(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, scalars_.one(),
                                    a_.descriptor.get(), x_descriptor_.get(), scalars_.zero(),
                                    y_descriptor_.get(), compute_type(), algorithm_,
                                    workspace_.data()),
            "cusparseSpMV_preprocess");
    session::current().wait();
  }

  void poison() override {
    // Every bit set is a NaN in both types.
    check(cudaMemsetAsync(y_.data(), 0xff, y_.bytes(), session::current().stream()),
          "cudaMemsetAsync");
    session::current().wait();
  }

  void run() override {
    timed([&] {
      check(cusparseSpMV(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, scalars_.one(),
                         a_.descriptor.get(), x_descriptor_.get(), scalars_.zero(),
                         y_descriptor_.get(), compute_type(), algorithm_, workspace_.data()),
            "cusparseSpMV");
    });
  }

  void answer(const dense_answer& to) override { download(to.values, y_, y_.bytes()); }

 private:
  static cusparseHandle_t handle() { return session::current().handle(); }

  device_matrix upload_matrix() const {
    if (algorithm_ == CUSPARSE_SPMV_SELL_ALG1) return upload_sliced_ell(problem_.a, problem_.type);
    if (algorithm_ == CUSPARSE_SPMV_COO_ALG1 || algorithm_ == CUSPARSE_SPMV_COO_ALG2)
      return upload_coo(problem_.a, problem_.type);
    return upload(problem_.a, problem_.type);
  }

  vector_descriptor describe(const device_array& values, index_t size) const {
    cusparseDnVecDescr_t result = nullptr;
    check(cusparseCreateDnVec(&result, size, values.data(), compute_type()), "cusparseCreateDnVec");
    return vector_descriptor(result);
  }

  cusparseSpMVAlg_t algorithm_;
  device_matrix a_;
  device_array x_, y_, workspace_;
  vector_descriptor x_descriptor_, y_descriptor_;
};

}  // namespace

std::unique_ptr<contestant> make_spmv(const race_problem& p, cusparseSpMVAlg_t algorithm) {
  return std::make_unique<spmv>(p, algorithm);
}

}  // namespace gossamer::bench::cusparse
