// Poisson on grids and the FEM-like band.
#include <algorithm>
#include <numeric>

#include "support.hpp"

namespace gossamer::generate {
namespace {

std::vector<double> dense(const csr_matrix<double>& a) {
  std::vector<double> full(static_cast<std::size_t>(a.rows() * a.cols()), 0);
  for (const auto& [place, value] : entries(a))
    full[static_cast<std::size_t>(place.first * a.cols() + place.second)] = value;
  return full;
}

double row_sum(const csr_matrix<double>& a, index_t i) {
  double sum = 0;
  for (index_t p = a.row_offsets()[i]; p < a.row_offsets()[i + 1]; ++p)
    sum += a.values()[static_cast<std::size_t>(p)];
  return sum;
}

TEST(Poisson2d, FivePointsWrittenOut) {
  const auto a = poisson2d<double>(one_thread(), 3, 2);
  EXPECT_EQ(dense(a), (std::vector<double>{4,  -1, 0,  -1, 0,  0,   //
                                           -1, 4,  -1, 0,  -1, 0,   //
                                           0,  -1, 4,  0,  0,  -1,  //
                                           -1, 0,  0,  4,  -1, 0,   //
                                           0,  -1, 0,  -1, 4,  -1,  //
                                           0,  0,  -1, 0,  -1, 4}));
  expect_sorted_rows(a);
}

TEST(Poisson2d, NinePointsWrittenOut) {
  const auto a = poisson2d<double>(one_thread(), 2, 3, stencil::finite_element);
  EXPECT_EQ(dense(a), (std::vector<double>{8,  -1, -1, -1, 0,  0,   //
                                           -1, 8,  -1, -1, 0,  0,   //
                                           -1, -1, 8,  -1, -1, -1,  //
                                           -1, -1, -1, 8,  -1, -1,  //
                                           0,  0,  -1, -1, 8,  -1,  //
                                           0,  0,  -1, -1, -1, 8}));
  expect_sorted_rows(a);
}

TEST(Poisson3d, TwoByTwoByTwo) {
  const auto cross = poisson3d<double>(one_thread(), 2, 2, 2);
  EXPECT_EQ(cross.nnz(), 8 * 4);
  EXPECT_EQ(entries(cross).at({0, 0}), 6);
  EXPECT_EQ(entries(cross).at({0, 4}), -1);
  EXPECT_EQ(entries(cross).count({0, 3}), 0U);
  const auto box = poisson3d<double>(one_thread(), 2, 2, 2, stencil::finite_element);
  EXPECT_EQ(box.nnz(), 64);
  EXPECT_EQ(entries(box).at({7, 7}), 26);
  EXPECT_EQ(entries(box).at({0, 7}), -1);
}

TEST(Poisson3d, AnInteriorRowOfAnUnevenGrid) {
  const auto a = poisson3d<double>(one_thread(), 4, 5, 3);
  const index_t centre = (1 * 5 + 2) * 4 + 1;  // (1, 2, 1)
  std::vector<index_t> columns;
  for (index_t p = a.row_offsets()[centre]; p < a.row_offsets()[centre + 1]; ++p)
    columns.push_back(a.column_indices()[p] - centre);
  EXPECT_EQ(columns, (std::vector<index_t>{-20, -4, -1, 0, 1, 4, 20}));
}

TEST(Poisson, EntriesInClosedFormAndRowSumsZeroInside) {
  const auto where = context::openmp(2);
  for (index_t nx : {1, 2, 7, 20})
    for (index_t ny : {1, 3, 16}) {
      const auto five = poisson2d<double>(where, nx, ny);
      const auto nine = poisson2d<double>(where, nx, ny, stencil::finite_element);
      EXPECT_EQ(five.nnz(), 5 * nx * ny - 2 * nx - 2 * ny);
      EXPECT_EQ(nine.nnz(), (3 * nx - 2) * (3 * ny - 2));
      for (const auto* a : {&five, &nine}) {
        expect_sorted_rows(*a);
        expect_symmetric(*a);
        for (index_t i = 0; i < a->rows(); ++i) {
          const bool inside = i % nx > 0 && i % nx < nx - 1 && i / nx > 0 && i / nx < ny - 1;
          EXPECT_EQ(row_sum(*a, i) == 0, inside) << i;
        }
        EXPECT_GT(energy(*a, 5), 0);
      }
    }
  for (index_t nz : {1, 2, 9}) {
    const auto seven = poisson3d<double>(where, 6, 5, nz);
    const auto all = poisson3d<double>(where, 6, 5, nz, stencil::finite_element);
    EXPECT_EQ(seven.nnz(), 7 * 30 * nz - 2 * (30 + 6 * nz + 5 * nz));
    EXPECT_EQ(all.nnz(), 16 * 13 * (3 * nz - 2));
    expect_sorted_rows(all);
    expect_symmetric(seven);
    expect_symmetric(all);
    EXPECT_GT(energy(all, 3), 0);
    if (nz == 9) {
      EXPECT_EQ(row_sum(all, (4 * 5 + 2) * 6 + 3), 0);
    }
  }
}

TEST(Poisson, EmptyGridsAndImpossibleOnes) {
  EXPECT_EQ(poisson2d<float>(one_thread(), 0, 5).shape(), (extents{0, 0}));
  EXPECT_EQ(poisson3d<float>(one_thread(), 3, 0, 5, stencil::finite_element).nnz(), 0);
  EXPECT_EQ(poisson2d<float>(one_thread(), 1, 1).values()[0], 4.0F);
  expect_mentions(error_of([] { poisson2d<double>(one_thread(), -1, 5); }),
                  {"poisson2d", "nx", "-1"});
  const index_t huge = 10'000'000'000;
  expect_mentions(error_of([&] { poisson2d<double>(one_thread(), huge, huge); }),
                  {"overflow", "poisson2d", "10,000,000,000"});
  // These fit 64 bits, but no memory: refused at once, not after a walk over the rows.
  EXPECT_NE(error_of([&] { poisson2d<double>(one_thread(), huge, 100'000'000); }), "");
  EXPECT_NE(error_of([&] { poisson2d<double>(one_thread(), huge, 1'000'000); }), "");
}

TEST(BandedBlocks, EveryInnerRowHasBlockTimesNeighboursEntries) {
  const auto a = banded_blocks<double>(context::openmp(2), 3000, 3, 8, 20);
  expect_sorted_rows(a);
  expect_symmetric(a);
  expect_values_in_unit_interval(a);
  index_t widest = 0;
  for (index_t i = 0; i < a.rows(); ++i) {
    EXPECT_LE(row_length(a, i), 24);
    if (i >= 30 && i < 2970) {
      ASSERT_EQ(row_length(a, i), 24) << i;
    }
    for (index_t p = a.row_offsets()[i]; p < a.row_offsets()[i + 1]; ++p)
      widest = std::max(widest, std::abs(a.column_indices()[p] / 3 - i / 3));
  }
  EXPECT_LE(widest, 10);  // half the band
  EXPECT_GE(widest, 4);   // seven neighbours need at least four distances
}

TEST(BandedBlocks, BlocksAreDenseAndTheLastOneMayBeNarrow) {
  const auto a = banded_blocks<double>(one_thread(), 10, 4, 1, 0);
  EXPECT_EQ(a.nnz(), 16 + 16 + 4);  // blocks of 4, 4 and 2
  const auto full = banded_blocks<double>(one_thread(), 10, 4, 5, 4);
  EXPECT_EQ(full.nnz(), 100);  // three block rows, all within reach of each other
  EXPECT_EQ(banded_blocks<double>(one_thread(), 0, 4, 5, 4).nnz(), 0);
  EXPECT_EQ(banded_blocks<double>(one_thread(), 3, 100, 1, 0).nnz(), 9);
}

TEST(BandedBlocks, ImpossibleParametersAreNamed) {
  expect_mentions(error_of([] { banded_blocks<double>(one_thread(), 100, 0, 5, 10); }),
                  {"block is 0"});
  expect_mentions(error_of([] { banded_blocks<double>(one_thread(), 100, 2, 12, 10); }),
                  {"band of 10", "11 neighbours", "not 12"});
}

}  // namespace
}  // namespace gossamer::generate
