// Which rows are found to repeat.
#include "kernels/shared/repeated_rows.hpp"

#include <gtest/gtest.h>

#include "gossamer/generate.hpp"

namespace gossamer {
namespace {

using rows_of_matrix = direct_rows<double, std::int32_t>;

rows_of_matrix rows_of(const csr_matrix<double>& a) {
  const auto view = a.view();
  return {view.offsets, static_cast<const std::int32_t*>(view.columns.data()), view.values};
}

TEST(repeated_rows, meshes_seem_repeated_and_random_matrices_do_not) {
  const auto cpu = context::openmp(1);
  const auto repeated = [](const csr_matrix<double>& a) {
    return seems_repeated(rows_of(a), rows_of(a), a.rows());
  };
  EXPECT_TRUE(repeated(generate::poisson2d<double>(cpu, 64, 64)));
  EXPECT_TRUE(
      repeated(generate::poisson3d<double>(cpu, 30, 30, 30, generate::stencil::finite_element)));
  EXPECT_FALSE(repeated(generate::erdos_renyi<double>(cpu, 10, 8)));
  EXPECT_FALSE(repeated(generate::by_name<double>(cpu, "rmat", {"scale=10", "edge-factor=8"})));
}

/// A grid's rows differ by how near they are to an edge: 5 ways in x, 5 in y.
TEST(repeated_rows, every_row_of_a_grid_has_one_of_25_patterns) {
  const auto cpu = context::openmp(3);
  const auto a = generate::poisson2d<double>(cpu, 60, 50);
  problem p;
  p.result = {a.rows(), a.cols()};
  p.flop = 25 * a.rows();
  const auto rows = rows_of(a);
  const auto heads = find_heads(rows, a.rows(), 3, cpu);
  EXPECT_EQ(heads->shapes.size(), 9);  // 3 ways in x, 3 in y
  std::vector<index_t> entries(static_cast<std::size_t>(a.rows()), -1);
  const auto made = find_patterns<double>(rows, rows, *heads, p, entries.data(), 3, cpu);
  EXPECT_EQ(made->table.size(), 25);
  for (index_t row = 0; row < a.rows(); ++row) ASSERT_NE(made->of_row[row], row_patterns::none);
  EXPECT_EQ(entries[0], 6);
  EXPECT_EQ(entries[60 * 25 + 30], 13);
}

/// One with a row out of order, one with an empty row: rows of C that need them have no pattern.
TEST(repeated_rows, rows_out_of_order_or_empty_have_no_head) {
  const std::vector<std::int32_t> offsets{0, 2, 4, 4, 6}, columns{0, 1, 2, 1, 2, 3};
  const std::vector<double> values(6, 1.0);
  const rows_of_matrix b{{offsets.data(), 5}, columns.data(), values.data()};
  const auto heads = find_heads(b, 4, 1, context::openmp(1));
  EXPECT_EQ(heads->heads[0], 0U);
  EXPECT_EQ(heads->heads[1], row_heads::none);
  EXPECT_EQ(heads->heads[2], row_heads::none);
  EXPECT_EQ(heads->heads[3], 2U);
}

}  // namespace
}  // namespace gossamer
