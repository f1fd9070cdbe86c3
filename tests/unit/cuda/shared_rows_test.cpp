// Rows so long that several blocks share them and pass their sums on.
#include <bit>
#include <cmath>

#include "gpu.hpp"

namespace gossamer {
namespace {

class cuda_shared_rows : public on_gpu {};

/// Three short rows around one of `length` entries.
csr_matrix<double> with_a_long_row(index_t length) {
  const std::vector<std::int32_t> offsets{0, 1, static_cast<std::int32_t>(1 + length),
                                          static_cast<std::int32_t>(2 + length),
                                          static_cast<std::int32_t>(3 + length)};
  std::vector<std::int32_t> columns(static_cast<std::size_t>(length + 3));
  std::vector<double> values(columns.size());
  for (std::size_t p = 0; p < columns.size(); ++p) {
    columns[p] = static_cast<std::int32_t>(p % static_cast<std::size_t>(length));
    values[p] = cases::value_at(3, static_cast<index_t>(p));
  }
  return convert<csr_matrix<double>>(
      csr_view<const double>(values.data(), offsets.data(), columns.data(), {4, length}));
}

void expect_right_run_after_run(const csr_matrix<double>& a) {
  const auto gpu = context::cuda();
  const auto x = some_vector(a.cols());
  const auto wanted = reference_product(a, x);
  const auto moved = copy_to(gpu, a);
  const auto moved_x = copy_to(gpu, x);
  vector<double> y(gpu, a.rows());
  const auto prepared = multiply_inspect(gpu, moved, moved_x, y, {.algorithm = "adaptive"});
  std::vector<double> first;
  for (int run = 0; run < 3; ++run) {
    multiply(prepared, moved, moved_x, y);
    const auto found = copy_to_host(gpu, y);
    expect_close(found, wanted);
    if (run == 0) first = found;
    EXPECT_EQ(found, first) << "other bits in run " << run;
  }
}

TEST_F(cuda_shared_rows, are_right_run_after_run) {
  for (const index_t length : {257, 2048, 2049, 4096, 40'000, 1'200'000}) {
    SCOPED_TRACE(length);
    expect_right_run_after_run(with_a_long_row(length));
  }
}

/// So many rows of about `length` nonzeros each, one of them empty.
csr_matrix<double> long_rows_alike(index_t rows, index_t length) {
  std::vector<std::int32_t> offsets{0}, columns;
  for (index_t i = 0; i < rows; ++i) {
    const index_t mine = i == 1 ? 0 : length - 3 * i;
    for (index_t k = 0; k < mine; ++k) columns.push_back(static_cast<std::int32_t>(2 * k + i % 2));
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  std::vector<double> values(columns.size());
  for (std::size_t p = 0; p < values.size(); ++p)
    values[p] = cases::value_at(7, static_cast<index_t>(p));
  return convert<csr_matrix<double>>(
      csr_view<const double>(values.data(), offsets.data(), columns.data(), {rows, 2 * length}));
}

/// A block or, where devices have them, a cluster of 8 blocks of 128, 256 or 512 threads a row; the
/// last are too long or too many for that.
TEST_F(cuda_shared_rows, that_are_alike) {
  struct shape {
    index_t rows, length;
  };
  for (const auto& [rows, length] : {shape{20, 900},
                                     {3, 1025},
                                     {5, 4096},
                                     {40, 4000},
                                     {5, 4097},
                                     {30, 8192},
                                     {4, 16384},
                                     {60, 12'000},
                                     {3, 16385},
                                     {140, 3000}}) {
    SCOPED_TRACE(testing::Message() << rows << " rows of " << length);
    expect_right_run_after_run(long_rows_alike(rows, length));
  }
}

/// A place for a sum is empty while all its bits are set, and there is a NaN of all bits.
TEST_F(cuda_shared_rows, the_nan_of_all_bits_is_a_sum_too) {
  const auto gpu = context::cuda();
  constexpr index_t length = 10'000;
  auto a = with_a_long_row(length);
  a.values()[1] = std::bit_cast<double>(~std::uint64_t{0});
  const std::vector<double> x(length, 1.0);
  const auto moved = copy_to(gpu, a);
  const auto moved_x = copy_to(gpu, x);
  vector<double> y(gpu, a.rows());
  const auto prepared = multiply_inspect(gpu, moved, moved_x, y, {.algorithm = "adaptive"});
  for (int run = 0; run < 2; ++run) {
    multiply(prepared, moved, moved_x, y);
    const auto found = copy_to_host(gpu, y);
    EXPECT_TRUE(std::isnan(found[1]));
    for (const std::size_t row : {0, 2, 3}) EXPECT_TRUE(std::isfinite(found[row])) << row;
  }
}

TEST_F(cuda_shared_rows, of_several_right_hand_sides) {
  const auto gpu = context::cuda();
  constexpr index_t length = 40'000;
  const auto a = with_a_long_row(length);
  const auto moved = copy_to(gpu, a);
  struct setting {
    const char* algorithm;
    layout order;
  };
  for (const index_t columns : {1, 2, 3, 4, 8, 11, 20, 32, 130, 256})
    for (const auto& [algorithm, order] : {setting{"spmm/csr/panels/cuda", layout::row_major},
                                           {"spmm/csr/panels/cuda", layout::column_major},
                                           {"spmm/csr/groups/cuda", layout::row_major},
                                           {"spmm/csr/merge/cuda", layout::row_major},
                                           {"spmm/csr/row_split/cuda", layout::row_major}}) {
      dense_matrix<double> b(length, columns, order), c(a.rows(), columns, order);
      for (index_t i = 0; i < length; ++i)
        for (index_t j = 0; j < columns; ++j) b(i, j) = cases::value_at(5, i * columns + j);
      multiply(context::reference(), a, b, c);
      const auto moved_b = copy_to(gpu, b);
      auto moved_c = copy_to(gpu, c);
      const auto prepared =
          multiply_inspect(gpu, moved, moved_b, moved_c, {.algorithm = algorithm});
      for (int run = 0; run < 2; ++run) {
        multiply(prepared, moved, moved_b, moved_c);
        const auto found = copy_to_host(gpu, moved_c);
        for (index_t i = 0; i < a.rows(); ++i)
          for (index_t j = 0; j < columns; ++j)
            ASSERT_NEAR(found(i, j), c(i, j), 1e-9)
                << algorithm << ", " << i << ", " << j << " of " << columns;
      }
    }
}

}  // namespace
}  // namespace gossamer
