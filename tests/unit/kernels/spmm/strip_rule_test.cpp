// When strips of rows pay.
#include "kernels/spmm/cuda/strip_rule.hpp"

#include <gtest/gtest.h>

#include "analysis/row_sample.hpp"
#include "gossamer/generate.hpp"

namespace gossamer::device {
namespace {

TEST(StripRule, MeshesWithLongRows) {
  const strip_facts mesh{.columns = 128, .mean_row = 27, .x_lines = 0.03};
  EXPECT_TRUE(may_share(mesh));
  auto other = mesh;
  other.mean_row = 5;
  EXPECT_FALSE(may_share(other)) << "short rows";
  other = mesh, other.x_lines = 0.9;
  EXPECT_FALSE(may_share(other)) << "random columns";
  other = mesh, other.x_lines = 0;
  EXPECT_FALSE(may_share(other)) << "not sampled";
  other = mesh, other.even = false;
  EXPECT_FALSE(may_share(other)) << "a power law";
}

TEST(StripRule, ASampleTellsMeshesFromRandomColumns) {
  const auto cpu = context::openmp(2);
  const auto shares = [&](const csr_matrix<float>& a) {
    const auto seen = analysis::sample_rows<float>(cpu, a.view(), {.columns = true});
    return may_share({.columns = 128,
                      .mean_row = static_cast<double>(a.nnz()) / static_cast<double>(a.rows()),
                      .x_lines = seen.x_lines});
  };
  const auto boxes = generate::stencil::finite_element;
  EXPECT_TRUE(shares(generate::poisson3d<float>(cpu, 25, 25, 25, boxes)));
  EXPECT_TRUE(shares(generate::poisson2d<float>(cpu, 200, 200, boxes)));
  EXPECT_FALSE(shares(generate::erdos_renyi<float>(cpu, 14, 16)));
}

TEST(StripRule, RowsOfBInWholePacks) {
  const auto with = [](index_t columns, int value_bytes) {
    return may_share(
        {.columns = columns, .value_bytes = value_bytes, .mean_row = 9, .x_lines = 0.05});
  };
  EXPECT_TRUE(with(32, 4));
  EXPECT_TRUE(with(16, 8));
  EXPECT_FALSE(with(16, 4));
  EXPECT_FALSE(with(33, 4));
  EXPECT_TRUE(with(34, 8));
}

TEST(StripRule, EntriesThatPay) {
  EXPECT_EQ(most_strip_entries(1000), 700);
  EXPECT_EQ(most_strip_entries(0), 0);
}

}  // namespace
}  // namespace gossamer::device
