// Products of two sparse matrices on a device: thousands of small random ones, and counts past
// 2^31.
#include "free_memory.hpp"
#include "random_matrices.hpp"
#include "same.hpp"

namespace gossamer {
namespace {

class cuda_sparse_products : public on_gpu {};

/// Every kernel for sparse products on this backend, and "" for the choice.
std::vector<std::string> sparse_algorithms() {
  std::vector<std::string> found{""};
  for (const auto& k : kernels())
    if (k.id.starts_with("spgemm/") && k.id.ends_with("/cuda")) found.push_back(k.id);
  return found;
}

template <class T>
csr_matrix<T> magnitudes(csr_matrix<T> a) {
  for (T& v : a.values()) v = std::abs(v);
  return a;
}

/// The structure exactly, each value within rounding errors of its terms.
template <class T>
void expect_close(const csr_matrix<T>& found, const csr_matrix<T>& wanted,
                  const csr_matrix<T>& magnitude) {
  ASSERT_EQ(found.shape(), wanted.shape());
  ASSERT_EQ(found.index_widths(), wanted.index_widths());
  expect_same("offsets", found.row_offsets(), wanted.row_offsets());
  expect_same("columns", found.column_indices(), wanted.column_indices());
  for (std::size_t p = 0; p < wanted.values().size(); ++p) {
    const auto bound = 64 * std::numeric_limits<T>::epsilon() * magnitude.values()[p];
    ASSERT_LE(std::abs(found.values()[p] - wanted.values()[p]), bound) << "nonzero " << p;
  }
}

template <class T>
expression<T> operand_of(const csr_matrix<T>& a, bool flipped) {
  return flipped ? transposed(a) : express(a);
}

/// One random product by every kernel against the serial reference.
template <class T>
void check_random_product(const context& gpu, random_source& draw, index_t largest) {
  const extents shape{draw.number(0, largest), draw.number(0, largest)};
  const index_t inner = draw.number(0, largest);
  const bool flip_a = draw.one_in(4), flip_b = draw.one_in(4);
  const extents a_shape = flip_a ? extents{inner, shape.rows} : extents{shape.rows, inner};
  const extents b_shape = flip_b ? extents{shape.cols, inner} : extents{inner, shape.cols};
  const auto a = cases::as_csr<T>(draw.matrix(a_shape), draw.any_widths());
  const auto b = cases::as_csr<T>(draw.matrix(b_shape), draw.any_widths());
  const T alpha = draw.one_in(3) ? T{-1.5} : T{1};
  const auto reference = context::reference();
  const auto wanted =
      multiply(reference, scaled(alpha, operand_of(a, flip_a)), operand_of(b, flip_b));
  const auto absolute_a = magnitudes(a), absolute_b = magnitudes(b);
  const auto bounds = multiply(reference, scaled(std::abs(alpha), operand_of(absolute_a, flip_a)),
                               operand_of(absolute_b, flip_b));
  const auto moved_a = copy_to(gpu, a), moved_b = copy_to(gpu, b);
  const auto left = scaled(alpha, operand_of(moved_a, flip_a));
  const auto right = operand_of(moved_b, flip_b);
  for (const auto& algorithm : sparse_algorithms()) {
    SCOPED_TRACE(algorithm);
    const auto found = copy_to_host(gpu, multiply(gpu, left, right, {.algorithm = algorithm}));
    expect_close(found, wanted, bounds);
  }
  // Sums in the order of the multiplications: the bits of the reference, whatever the slices.
  const options sliced{.algorithm = "esc",
                       .tuning = "products=" + std::to_string(draw.number(1, 60))};
  expect_same(copy_to_host(gpu, multiply(gpu, left, right, sliced)), wanted);
}

TEST_F(cuda_sparse_products, thousands_of_random_ones) {
  const auto gpu = context::cuda();
  random_source draw(20261116);
  for (int k = 0; k < 2000; ++k) {
    SCOPED_TRACE(k);
    const index_t largest = k % 20 == 0 ? 300 : k % 3 == 0 ? 60 : 12;
    if (k % 2 == 0)
      check_random_product<double>(gpu, draw, largest);
    else
      check_random_product<float>(gpu, draw, largest);
    if (HasFatalFailure()) return;
  }
}

TEST_F(cuda_sparse_products, every_case_has_the_bits_of_the_reference) {
  const auto gpu = context::cuda();
  for (const auto& c : cases::all()) {
    SCOPED_TRACE(c.name);
    if (c.entries.size() > 20'000) continue;
    const auto a = cases::as_csr<double>(c, narrow);
    const auto moved = copy_to(gpu, a);
    const options esc{.algorithm = "esc", .tuning = "products=3000"};
    expect_same(copy_to_host(gpu, multiply(gpu, moved, transposed(moved), esc)),
                multiply(context::reference(), a, transposed(a)));
    if (HasFatalFailure()) return;
  }
}

/// Columns beyond 32 bits need keys of 64.
TEST_F(cuda_sparse_products, wide_shapes) {
  const auto gpu = context::cuda();
  const index_t far = index_t{1} << 33;
  const widths wide{index_width::i64, index_width::i64};
  const cases::matrix_case left{"left", {3, 4}, {{0, 1, 2.0}, {0, 3, -1.0}, {2, 0, 0.5}}};
  const cases::matrix_case right{
      "right", {4, far}, {{0, far - 1, 4.0}, {1, 7, 3.0}, {1, far - 2, 1.0}, {3, 7, 6.0}}};
  const auto a = copy_to(gpu, cases::as_csr<double>(left, wide));
  const auto b = copy_to(gpu, cases::as_csr<double>(right, wide));
  const auto c = copy_to_host(gpu, multiply(gpu, a, b, {.algorithm = "esc"}));
  EXPECT_EQ(c.shape(), (extents{3, far}));
  ASSERT_EQ(c.nnz(), 3);
  EXPECT_EQ(c.column_indices()[0], 7);
  EXPECT_EQ(c.values()[0], 0.0);  // what cancels stays
  EXPECT_EQ(c.column_indices()[1], far - 2);
  EXPECT_EQ(c.column_indices()[2], far - 1);
  EXPECT_EQ(c.values()[2], 2.0);
  EXPECT_EQ(c.row_offsets()[1], 2);
  EXPECT_EQ(c.row_offsets()[2], 2);
}

/// 1024 rows of 1024 times the same row of 4096: 2^32 multiplications.
TEST_F(cuda_sparse_products, more_multiplications_than_32_bits_count) {
  const auto gpu = context::cuda();
  constexpr index_t n = 1024, length = 4096;
  cases::matrix_case left{"left", {n, 1}, {}}, right{"right", {1, length}, {}};
  for (index_t i = 0; i < n; ++i)
    for (index_t k = 0; k < n; ++k) left.entries.push_back({i, 0, 1.0});
  for (index_t j = 0; j < length; ++j) right.entries.push_back({0, j, static_cast<double>(j)});
  const auto a = copy_to(gpu, cases::as_csr<float>(left, narrow));
  const auto b = copy_to(gpu, cases::as_csr<float>(right, narrow));
  for (const auto& algorithm : sparse_algorithms()) {
    SCOPED_TRACE(algorithm);
    explanation why;
    const auto c = copy_to_host(gpu, multiply(gpu, a, b, {.algorithm = algorithm}, why));
    EXPECT_NE(why.problem.find("4,294,967,296 multiplications"), std::string::npos) << why.problem;
    ASSERT_EQ(c.nnz(), n * length);
    for (index_t p = 0; p < c.nnz(); p += 977) {
      ASSERT_EQ(c.column_indices()[p], p % length);
      ASSERT_EQ(c.values()[static_cast<std::size_t>(p)], static_cast<float>(p % length) * 1024);
    }
  }
}

/// A column times a row: as many nonzeros as 64-bit offsets are for.
TEST_F(cuda_sparse_products, more_nonzeros_than_32_bits_count) {
  const auto gpu = context::cuda();
  constexpr index_t n = 46'400;
  static_assert(n * n > index_t{1} << 31);
  if (!has_memory(index_t{60} << 30)) GTEST_SKIP() << "needs 60 GB of device memory";
  cases::matrix_case column{"column", {n, 1}, {}}, row{"row", {1, n}, {}};
  for (index_t i = 0; i < n; ++i) {
    column.entries.push_back({i, 0, static_cast<double>(i % 3)});
    row.entries.push_back({0, i, static_cast<double>(i % 7)});
  }
  const auto a = copy_to(gpu, cases::as_csr<float>(column, narrow));
  const auto b = copy_to(gpu, cases::as_csr<float>(row, narrow));
  for (const auto& algorithm : sparse_algorithms()) {
    SCOPED_TRACE(algorithm);
    const auto c = multiply(gpu, a, b, {.algorithm = algorithm});
    ASSERT_EQ(c.nnz(), n * n);
    EXPECT_EQ(c.index_widths(), (widths{index_width::i32, index_width::i64}));
    gpu.synchronise();
    std::vector<std::int64_t> offsets(n + 1);
    std::vector<std::int32_t> columns(n);
    std::vector<float> values(n);
    const index_t last = (n - 1) * n;
    const auto view = c.view();
    ASSERT_EQ(
        cudaMemcpy(offsets.data(), view.offsets.data(), 8 * offsets.size(), cudaMemcpyDeviceToHost),
        cudaSuccess);
    ASSERT_EQ(
        cudaMemcpy(columns.data(), static_cast<const std::int32_t*>(view.columns.data()) + last,
                   4 * columns.size(), cudaMemcpyDeviceToHost),
        cudaSuccess);
    ASSERT_EQ(
        cudaMemcpy(values.data(), view.values + last, 4 * values.size(), cudaMemcpyDeviceToHost),
        cudaSuccess);
    for (index_t i = 0; i <= n; ++i) ASSERT_EQ(offsets[static_cast<std::size_t>(i)], i * n);
    for (index_t j = 0; j < n; ++j) {
      ASSERT_EQ(columns[static_cast<std::size_t>(j)], j);
      ASSERT_EQ(values[static_cast<std::size_t>(j)], static_cast<float>((n - 1) % 3 * (j % 7)));
    }
  }
}

}  // namespace
}  // namespace gossamer
