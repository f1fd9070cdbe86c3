// Prolongators: written out by hand, then against A P and counts in closed form.
#include "support.hpp"

namespace gossamer::generate {
namespace {

/// The one column of each row.
std::vector<index_t> columns(const csr_matrix<double>& p) {
  std::vector<index_t> found;
  for (index_t i = 0; i < p.nnz(); ++i) found.push_back(p.column_indices()[i]);
  return found;
}

TEST(Aggregation, BoxesOfAPlaneWithNarrowOnesAtTheEnds) {
  const auto p = aggregation<double>(one_thread(), 4, 5, 1);
  EXPECT_EQ(p.shape(), (extents{20, 4}));
  EXPECT_EQ(columns(p), (std::vector<index_t>{0, 0, 0, 1,  //
                                              0, 0, 0, 1,  //
                                              0, 0, 0, 1,  //
                                              2, 2, 2, 3,  //
                                              2, 2, 2, 3}));
  for (const double v : p.values()) EXPECT_EQ(v, 1.0);
  expect_sorted_rows(p);
}

TEST(Aggregation, BoxesOfASpace) {
  const auto p = aggregation<double>(one_thread(), 3, 2, 3, 2);
  EXPECT_EQ(p.shape(), (extents{18, 4}));
  EXPECT_EQ(columns(p), (std::vector<index_t>{0, 0, 1, 0, 0, 1,  // z = 0
                                              0, 0, 1, 0, 0, 1,  // z = 1
                                              2, 2, 3, 2, 2, 3}));
}

TEST(Aggregation, BlocksOfOneAreTheIdentityAndLargeOnesASingleColumn) {
  const auto identity = aggregation<double>(one_thread(), 3, 2, 2, 1);
  EXPECT_EQ(identity.shape(), (extents{12, 12}));
  for (index_t i = 0; i < 12; ++i) EXPECT_EQ(identity.column_indices()[i], i);
  const auto one = aggregation<double>(one_thread(), 3, 2, 2, 100);
  EXPECT_EQ(one.shape(), (extents{12, 1}));
  EXPECT_EQ(columns(one), std::vector<index_t>(12, 0));
}

TEST(SmoothedAggregation, ALineWrittenOut) {
  // Boxes {0 1 2} and {3}. The centre weighs 4, so a neighbour brings 2/3 / 4 = 1/6 of a point.
  const auto p = entries(smoothed_aggregation<double>(one_thread(), 4, 1, 1));
  const std::map<std::pair<index_t, index_t>, double> expected{
      {{0, 0}, 1. / 3 + 1. / 6}, {{1, 0}, 1. / 3 + 2. / 6}, {{2, 0}, 1. / 3 + 1. / 6},
      {{2, 1}, 1. / 6},          {{3, 0}, 1. / 6},          {{3, 1}, 1. / 3}};
  ASSERT_EQ(p.size(), expected.size());
  for (const auto& [place, value] : expected)
    EXPECT_NEAR(p.at(place), value, 1e-15) << place.first << ", " << place.second;
}

/// (I - 2/3 D^-1 A) P0 by its definition.
std::map<std::pair<index_t, index_t>, double> by_definition(const csr_matrix<double>& a,
                                                            const csr_matrix<double>& p0) {
  std::map<std::pair<index_t, index_t>, double> p;
  const auto box = columns(p0);
  const auto all = entries(a);
  for (const auto& [place, value] : all) {
    const auto [i, j] = place;
    const double diagonal = all.at({i, i});
    p[{i, box[static_cast<std::size_t>(j)]}] += (i == j ? 1 : 0) - 2. / 3 * value / diagonal;
  }
  return p;
}

TEST(SmoothedAggregation, IsOneJacobiStepOnThePlainOne) {
  for (const auto kind : {stencil::finite_difference, stencil::finite_element}) {
    for (const index_t block : {1, 2, 3, 9}) {
      const auto check = [&](const csr_matrix<double>& a, index_t nx, index_t ny, index_t nz) {
        const auto p = smoothed_aggregation<double>(one_thread(), nx, ny, nz, kind, block);
        expect_sorted_rows(p);
        const auto found = entries(p);
        const auto expected =
            by_definition(a, aggregation<double>(one_thread(), nx, ny, nz, block));
        ASSERT_EQ(found.size(), expected.size());
        for (const auto& [place, value] : expected) {
          ASSERT_EQ(found.count(place), 1U);
          EXPECT_NEAR(found.at(place), value, 1e-14);
          EXPECT_GT(found.at(place), 0);
        }
      };
      check(poisson2d<double>(one_thread(), 7, 4, kind), 7, 4, 1);
      check(poisson3d<double>(one_thread(), 4, 3, 5, kind), 4, 3, 5);
    }
  }
}

TEST(SmoothedAggregation, SizesOfTheBenchmarks) {
  // 1024 points in boxes of 3 have 341 faces between boxes, each with two sides.
  const auto five = smoothed_aggregation<double>(context::openmp(2), 1024, 1024, 1);
  EXPECT_EQ(five.shape(), (extents{1048576, 342 * 342}));
  EXPECT_EQ(five.nnz(), 1048576 + 2 * (2 * 341 * 1024));
  const auto nine =
      smoothed_aggregation<float>(context::openmp(2), 64, 1024, 1, stencil::finite_element);
  EXPECT_EQ(nine.nnz(), (64 + 2 * 21) * (1024 + 2 * 341));
  expect_sorted_rows(nine);
}

TEST(Aggregation, EmptyGridsAndImpossibleOnes) {
  EXPECT_EQ(aggregation<float>(one_thread(), 0, 5, 1).shape(), (extents{0, 0}));
  EXPECT_EQ(smoothed_aggregation<float>(one_thread(), 4, 5, 0).nnz(), 0);
  expect_mentions(error_of([] { aggregation<double>(one_thread(), 4, 4, 4, 0); }),
                  {"aggregation", "block is 0", "1 or more"});
  expect_mentions(error_of([] { aggregation<double>(one_thread(), 4, -4, 4); }),
                  {"aggregation", "ny", "-4"});
  const index_t huge = 10'000'000'000;
  expect_mentions(error_of([&] { aggregation<double>(one_thread(), huge, huge, 1); }),
                  {"overflow", "aggregation"});
  expect_mentions(
      error_of([&] { smoothed_aggregation<double>(one_thread(), huge, 500'000'000, 1); }),
      {"overflow", "aggregation"});
}

}  // namespace
}  // namespace gossamer::generate
