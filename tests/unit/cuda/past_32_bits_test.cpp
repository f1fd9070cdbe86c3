// Sparse products on a device with more nonzeros, and twice as many multiplications, than 32 bits
// count, in rows short enough for a thread, a warp or a block. Sums are exact, so that a product
// with a vector checks every row.
#include "free_memory.hpp"
#include "same.hpp"

namespace gossamer {
namespace {

class cuda_past_32_bits : public on_gpu {
 protected:
  void SetUp() override {
    on_gpu::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    release_memory();
    if (!has_memory(index_t{60} << 30)) GTEST_SKIP() << "needs 60 GB of device memory";
    if (!host_has_memory(index_t{40} << 30)) GTEST_SKIP() << "needs 40 GB of host memory";
  }
};

/// A has rows (i mod 3, 1); B has two rows of all columns, j mod 7 and j mod 5.
csr_matrix<float> left_factor(index_t rows) {
  csr_matrix<float> a({rows, 2}, 2 * rows, narrow);
  const auto out = a.mutable_view();
  const auto offsets = out.offsets.as<std::int32_t>(), columns = out.columns.as<std::int32_t>();
  for (index_t i = 0; i <= rows; ++i)
    offsets[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(2 * i);
  for (index_t p = 0; p < 2 * rows; ++p) {
    columns[static_cast<std::size_t>(p)] = static_cast<std::int32_t>(p % 2);
    out.values[p] = p % 2 == 1 ? 1.0F : static_cast<float>(p / 2 % 3);
  }
  return a;
}
csr_matrix<float> right_factor(index_t length) {
  cases::matrix_case b{"b", {2, length}, {}};
  for (const index_t row : {0, 1})
    for (index_t j = 0; j < length; ++j)
      b.entries.push_back({row, j, static_cast<double>(row == 0 ? j % 7 : j % 5)});
  return cases::as_csr<float>(b, narrow);
}
float value_at(index_t row, index_t column) {
  return static_cast<float>(row % 3 * (column % 7) + column % 5);
}

/// The elements [first, first + count) of an array on the device.
template <class T>
std::vector<T> some_of(const context& gpu, const void* from, index_t first, index_t count) {
  std::vector<T> found(static_cast<std::size_t>(count));
  gpu.synchronise();
  EXPECT_EQ(cudaMemcpy(found.data(), static_cast<const T*>(from) + first, sizeof(T) * found.size(),
                       cudaMemcpyDeviceToHost),
            cudaSuccess);
  return found;
}

/// All offsets and columns of some rows, those on both sides of 2^31 among them.
void check_rows(const context& gpu, const csr_view<const float>& c) {
  const index_t length = c.shape.cols, middle = (index_t{1} << 31) / length;
  for (const index_t row : {index_t{0}, index_t{1}, middle - 1, middle, middle + 1,
                            c.shape.rows / 3, c.shape.rows - 1}) {
    SCOPED_TRACE(row);
    const auto offsets = some_of<std::int64_t>(gpu, c.offsets.data(), row, 2);
    ASSERT_EQ(offsets[0], row * length);
    ASSERT_EQ(offsets[1], (row + 1) * length);
    const auto columns = some_of<std::int32_t>(gpu, c.columns.data(), row * length, length);
    const auto values = some_of<float>(gpu, c.values, row * length, length);
    for (index_t j = 0; j < length; ++j) {
      ASSERT_EQ(columns[static_cast<std::size_t>(j)], j);
      ASSERT_EQ(values[static_cast<std::size_t>(j)], value_at(row, j));
    }
  }
}

/// C x with x = 1, 2, ...: below 2^24, so exact in any order.
void check_sums(const context& gpu, const csr_matrix<float>& c) {
  std::vector<float> x(static_cast<std::size_t>(c.cols()));
  float wanted[3] = {};
  for (index_t j = 0; j < c.cols(); ++j) {
    x[static_cast<std::size_t>(j)] = static_cast<float>(j + 1);
    for (index_t i = 0; i < 3; ++i) wanted[i] += static_cast<float>(j + 1) * value_at(i, j);
  }
  const auto moved = copy_to(gpu, x);
  vector<float> y(gpu, c.rows());
  multiply(gpu, c, moved, y);
  const auto found = copy_to_host(gpu, y);
  for (index_t i = 0; i < c.rows(); ++i)
    ASSERT_EQ(found[static_cast<std::size_t>(i)], wanted[i % 3]) << "row " << i;
}

void check_products(index_t length, const std::vector<options>& variants) {
  const auto gpu = context::cuda();
  const index_t rows = (index_t{1} << 31) / length + 1000;
  const auto a = copy_to(gpu, left_factor(rows)), b = copy_to(gpu, right_factor(length));
  for (const auto& how : variants) {
    SCOPED_TRACE(how.algorithm + " " + how.tuning);
    const auto c = multiply(gpu, a, b, how);
    ASSERT_EQ(c.nnz(), rows * length);
    ASSERT_EQ(c.index_widths(), (widths{index_width::i32, index_width::i64}));
    check_rows(gpu, c.view());
    check_sums(gpu, c);
    if (testing::Test::HasFatalFailure()) return;
  }
}

std::vector<options> all_variants() {
  std::vector<options> found;
  for (const auto& k : kernels())
    if (k.id.starts_with("spgemm/") && k.id.ends_with("/cuda"))
      found.push_back({.algorithm = k.id});
  found.push_back({.algorithm = "adaptive", .tuning = "patterns=none"});
  return found;
}

TEST_F(cuda_past_32_bits, rows_of_a_thread) { check_products(16, all_variants()); }
TEST_F(cuda_past_32_bits, rows_of_a_warp) { check_products(100, all_variants()); }
TEST_F(cuda_past_32_bits, rows_of_a_block) { check_products(1000, all_variants()); }

/// On the host slices are joined behind 2^31 nonzeros.
TEST_F(cuda_past_32_bits, streamed_to_the_host) {
  const auto gpu = context::cuda();
  constexpr index_t length = 1000, rows = (index_t{1} << 31) / length + 1000;
  const auto a = copy_to(gpu, left_factor(rows)), b = copy_to(gpu, right_factor(length));
  const auto c = multiply_to_host(gpu, a, b, {.memory_limit = index_t{6} << 30});
  ASSERT_EQ(c.nnz(), rows * length);
  ASSERT_EQ(c.index_widths(), (widths{index_width::i32, index_width::i64}));
  const auto columns = c.column_indices().as<std::int32_t>();
  for (index_t i = 0; i < rows; ++i) {
    ASSERT_EQ(c.row_offsets()[i + 1], (i + 1) * length);
    const index_t p = i * length + i * 7 % length;
    ASSERT_EQ(columns[static_cast<std::size_t>(p)], p % length);
    ASSERT_EQ(c.values()[static_cast<std::size_t>(p)], value_at(i, p % length));
  }
}

}  // namespace
}  // namespace gossamer
