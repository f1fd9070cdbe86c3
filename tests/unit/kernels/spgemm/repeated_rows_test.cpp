// Which rows are found to repeat.
#include "kernels/spgemm/adaptive/repeated_rows.hpp"

#include <gtest/gtest.h>

#include "gossamer/generate.hpp"

namespace gossamer {
namespace {

struct found_rows {
  std::unique_ptr<row_patterns> patterns;
  std::vector<index_t> entries;
};

/// Of A times A; 8 lanes to a vector.
found_rows find_in(const direct_rows<double, std::int32_t>& a, index_t rows) {
  problem p;
  p.result = p.a.shape = p.b.shape = {rows, rows};
  p.spgemm.flop = 25 * rows;
  found_rows found{nullptr, std::vector<index_t>(static_cast<std::size_t>(rows), -1)};
  found.patterns = find_patterns(a, a, p, 8, found.entries.data(), 3, context::openmp(3));
  return found;
}
found_rows find_in(const csr_matrix<double>& a) {
  const auto view = a.view();
  return find_in({view.offsets, static_cast<const std::int32_t*>(view.columns.data()), nullptr},
                 a.rows());
}

TEST(repeated_rows, meshes_seem_repeated_and_random_matrices_do_not) {
  const auto cpu = context::openmp(1);
  EXPECT_TRUE(find_in(generate::poisson2d<double>(cpu, 64, 64)).patterns);
  EXPECT_TRUE(
      find_in(generate::poisson3d<double>(cpu, 30, 30, 30, generate::stencil::finite_element))
          .patterns);
  EXPECT_FALSE(find_in(generate::erdos_renyi<double>(cpu, 10, 8)).patterns);
  EXPECT_FALSE(
      find_in(generate::by_name<double>(cpu, "rmat", {"scale=10", "edge-factor=8"})).patterns);
}

/// A grid's rows differ by their distance to an edge: 5 cases in x, 5 in y.
TEST(repeated_rows, every_row_of_a_grid_has_one_of_25_patterns) {
  const auto found = find_in(generate::poisson2d<double>(context::openmp(1), 60, 50));
  ASSERT_TRUE(found.patterns);
  EXPECT_EQ(found.patterns->table.size(), 25);
  for (const std::uint16_t id : found.patterns->of_row.span()) ASSERT_NE(id, row_patterns::none);
  EXPECT_EQ(found.entries[0], 6);
  EXPECT_EQ(found.entries[60 * 25 + 30], 13);
}

/// Rows of 2 nonzeros; 100 is out of order, 200 is empty, 300 has one twice: what needs one of
/// these has no pattern.
TEST(repeated_rows, rows_out_of_order_or_empty_have_no_pattern) {
  std::vector<std::int32_t> offsets{0}, columns;
  for (std::int32_t row = 0; row < 600; ++row) {
    const std::int32_t next = std::min(row + 1, 599);
    if (row == 100)
      columns.insert(columns.end(), {next, row});
    else if (row == 300)
      columns.insert(columns.end(), {row, row});
    else if (row != 200)
      columns.insert(columns.end(), row == next ? std::initializer_list<std::int32_t>{row}
                                                : std::initializer_list<std::int32_t>{row, next});
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  const auto found = find_in({{offsets.data(), 601}, columns.data(), nullptr}, 600);
  ASSERT_TRUE(found.patterns);
  for (const index_t row : {99, 100, 199, 299, 300})
    EXPECT_EQ(found.patterns->of_row[row], row_patterns::none) << row;
  EXPECT_NE(found.patterns->of_row[200], row_patterns::none);
  EXPECT_EQ(found.entries[200], 0);
  EXPECT_EQ(found.entries[98], 3);
  EXPECT_EQ(found.entries[99], -1);
}

}  // namespace
}  // namespace gossamer
