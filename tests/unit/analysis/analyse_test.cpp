#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "analysis/format_sizes.hpp"
#include "gossamer/convert.hpp"
#include "matrices.hpp"

namespace gossamer {
namespace {

using namespace analysis_tests;

const auto serial = context::reference();

std::map<format, index_t> by_format(const matrix_analysis& a) {
  std::map<format, index_t> sizes;
  for (const auto& f : a.bytes) sizes[f.format] = f.bytes;
  return sizes;
}

TEST(Analyse, ColumnsThatAreMostlyEmptyCostNothing) {
  const index_t far = (index_t{1} << 61) - 1;
  for (const bool tidy : {true, false}) {
    constexpr widths wide{index_width::i64, index_width::i64};
    const auto m = matrix_of(tidy ? row_list{{0, 6, far}, {6}} : row_list{{far, 0, far, 6}, {6}},
                             far + 1, wide);
    const auto a = analyse(serial, m);
    EXPECT_EQ(a.columns.count, far + 1);
    EXPECT_EQ(a.columns.zeros, far + 1 - 3);
    EXPECT_EQ(a.columns.total, m.nnz());
    EXPECT_EQ(a.columns.min, 0);
    EXPECT_EQ(a.columns.max, 2);
    EXPECT_EQ(a.columns.quantiles[6], 0);
    EXPECT_EQ(a.sorted, tidy);
    EXPECT_EQ(a.unique, tidy);
  }
}

TEST(Analyse, TheSameColumnsAreFoundEitherWay) {
  // Just below and just above the number of columns from which on they are not counted one by one.
  std::vector<std::vector<index_t>> rows(50);
  for (index_t k = 0; k < 400; ++k) rows[static_cast<std::size_t>(k / 8)].push_back(k * k % 997);
  const index_t border = (1 << 20) + 4 * 400;
  const auto few = analyse(serial, matrix_of(rows, border)).columns;
  const auto many = analyse(serial, matrix_of(rows, border + 400)).columns;
  EXPECT_EQ(few.max, many.max);
  EXPECT_EQ(few.total, many.total);
  EXPECT_EQ(few.zeros + 400, many.zeros);
  EXPECT_NEAR(few.deviation, many.deviation, 1e-3);
}

TEST(Analyse, HandWritten) {
  auto m = matrix_of({{0, 2}, {1}, {0, 3}, {}}, 4);
  m.values()[1] = 0;
  m.values()[4] = -0.0;
  const auto a = analyse(serial, m);
  EXPECT_EQ(a.shape, (extents{4, 4}));
  EXPECT_EQ(a.nnz, 5);
  EXPECT_EQ(a.values, value_type::f64);
  EXPECT_EQ(a.index, widths{});
  EXPECT_EQ(a.rows.max, 2);
  EXPECT_EQ(a.rows.zeros, 1);
  EXPECT_EQ(a.columns.max, 2);
  EXPECT_EQ(a.columns.min, 1);
  EXPECT_EQ(a.row_histogram.bins, (std::vector<index_t>{1, 1, 2}));
  EXPECT_EQ(a.bandwidth, 2);
  EXPECT_EQ(a.profile, 2);
  EXPECT_DOUBLE_EQ(a.pattern_symmetry, 2.0 / 3);  // (0,2) and (2,0), but not (2,3)
  EXPECT_EQ(a.diagonal, 2);
  EXPECT_EQ(a.explicit_zeros, 2);
  EXPECT_TRUE(a.sorted);
  EXPECT_TRUE(a.unique);
  ASSERT_EQ(a.bytes.size(), 7u);
  const auto sizes = by_format(a);
  EXPECT_EQ(sizes.at(format::csr), 5 * 4 + 5 * 12);
  EXPECT_EQ(sizes.at(format::csc), 5 * 4 + 5 * 12);
  EXPECT_EQ(sizes.at(format::coo), 5 * 16);
  EXPECT_EQ(sizes.at(format::ell), 4 * 2 * 12);
  EXPECT_EQ(sizes.at(format::sellp), 64 * 2 * 12 + 2 * 4);
  EXPECT_EQ(sizes.at(format::hyb), 4 * 1 * 12 + 2 * 16);  // lengths 0 1 2 2: the quartile is 1
  EXPECT_EQ(sizes.at(format::dense), 16 * 8);
  EXPECT_DOUBLE_EQ(a.bytes[3].overhead, 96.0 / 80);
}

TEST(Analyse, UnsortedRowsAndDuplicates) {
  // (0,1) twice with its mirror, (0,2) without, (1,0); row 2 in descending order.
  const auto a = analyse(serial, matrix_of<float>({{1, 0, 1, 2}, {0}, {2, 1}}, 3));
  EXPECT_FALSE(a.sorted);
  EXPECT_FALSE(a.unique);
  EXPECT_EQ(a.diagonal, 2);
  EXPECT_DOUBLE_EQ(a.pattern_symmetry, 3.0 / 5);
  EXPECT_EQ(a.profile, 0 + 1 + 1);
  const auto descending = analyse(serial, matrix_of({{1, 0}, {}}, 2));
  EXPECT_FALSE(descending.sorted);
  EXPECT_TRUE(descending.unique);
  const auto twice = analyse(serial, matrix_of({{1, 1}, {}}, 2));
  EXPECT_TRUE(twice.sorted);
  EXPECT_FALSE(twice.unique);
}

TEST(Analyse, NotSquare) {
  const auto wide = analyse(serial, matrix_of({{0, 4}, {1}}, 5));
  EXPECT_EQ(wide.pattern_symmetry, 0);
  EXPECT_EQ(wide.columns.count, 5);
  EXPECT_EQ(wide.columns.zeros, 2);
  EXPECT_EQ(wide.bandwidth, 4);
  const auto tall = analyse(serial, matrix_of({{1, 0}, {}, {1}}, 2));
  EXPECT_EQ(tall.pattern_symmetry, 0);
  EXPECT_TRUE(tall.unique);
  EXPECT_EQ(tall.columns.max, 2);
  EXPECT_EQ(tall.bandwidth, 1);
  EXPECT_EQ(tall.profile, 1);
}

TEST(Analyse, EmptyThings) {
  for (const extents shape : {extents{0, 0}, extents{0, 7}, extents{7, 0}, extents{5, 5}}) {
    const auto a = analyse(context::openmp(3), csr_matrix<double>(shape, 0));
    EXPECT_EQ(a.nnz, 0);
    EXPECT_EQ(a.rows.count, shape.rows);
    EXPECT_EQ(a.columns.count, shape.cols);
    EXPECT_EQ(a.bandwidth, 0);
    EXPECT_EQ(a.pattern_symmetry, shape.rows == shape.cols ? 1 : 0);
    EXPECT_EQ(a.bytes.size(), 7u);
  }
  EXPECT_EQ(analyse(serial, csr_view<const double>()).nnz, 0);
  EXPECT_EQ(analyse(serial, matrix_of({{0}, {1}}, 2)).pattern_symmetry, 1);
}

TEST(Analyse, SymmetryAgreesWithSearching) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    auto rows = random_rows(60, 60, 5 + seed % 7, seed);
    const row_list original = rows;
    if (seed % 2 == 0)  // about half symmetric
      for (index_t i = 0; i < 60; ++i)
        for (const index_t j : original[static_cast<std::size_t>(i)])
          if ((i + j) % 3 == 0 && j != i) {
            auto& mirror = rows[static_cast<std::size_t>(j)];
            if (std::find(mirror.begin(), mirror.end(), i) == mirror.end()) mirror.push_back(i);
          }
    if (seed % 3 == 0) rows = shuffled_with_duplicates(rows, seed);
    index_t off_diagonal = 0, mirrored = 0;
    for (index_t i = 0; i < 60; ++i)
      for (const index_t j : rows[static_cast<std::size_t>(i)]) {
        const auto& mirror = rows[static_cast<std::size_t>(j)];
        off_diagonal += i != j;
        mirrored += i != j && std::find(mirror.begin(), mirror.end(), i) != mirror.end();
      }
    const auto a = analyse(context::openmp(2), matrix_of(rows, 60));
    EXPECT_DOUBLE_EQ(a.pattern_symmetry,
                     static_cast<double>(mirrored) / static_cast<double>(off_diagonal))
        << seed;
  }
}

TEST(Analyse, SameForEveryNumberOfThreadsAndWidth) {
  auto rows = shuffled_with_duplicates(rmat_rows(12, 20, 9), 10);
  const auto one = analyse(serial, matrix_of<float>(rows, 4096));
  EXPECT_GT(one.pattern_symmetry, 0);
  EXPECT_LT(one.pattern_symmetry, 1);
  for (const int threads : {2, 3, 8})
    for (const widths w : {widths{}, widths{index_width::i64, index_width::i64}}) {
      auto many = analyse(context::openmp(threads), matrix_of<float>(rows, 4096, w));
      many.index = one.index;
      EXPECT_EQ(to_json(many), to_json(one));
    }
}

template <class... Arrays>
index_t bytes_of(const Arrays&... arrays) {
  return (index_t{0} + ... + (arrays.size() * bytes(arrays.width())));
}

TEST(FormatSizes, AreWhatConversionsMake) {
  auto rows = random_rows(1000, 700, 6, 4);
  rows[500] = random_rows(1, 700, 90, 5)[0];
  const auto a = matrix_of<float>(rows, 700);
  const auto sizes = by_format(analyse(serial, a));
  const auto values = [](const auto& m) { return static_cast<index_t>(m.values().size_bytes()); };
  const auto csc = convert<csc_matrix<float>>(a);
  EXPECT_EQ(sizes.at(format::csr), bytes_of(a.row_offsets(), a.column_indices()) + values(a));
  EXPECT_EQ(sizes.at(format::csc), bytes_of(csc.column_offsets(), csc.row_indices()) + values(csc));
  const auto coo = convert<coo_matrix<float>>(a);
  EXPECT_EQ(sizes.at(format::coo), bytes_of(coo.row_indices(), coo.column_indices()) + values(coo));
  const auto ell = convert<ell_matrix<float>>(a, {.padding_limit = 0});
  EXPECT_EQ(sizes.at(format::ell), bytes_of(ell.view().columns) + values(ell));
  const auto sellp = convert<sellp_matrix<float>>(a);
  EXPECT_EQ(sizes.at(format::sellp),
            bytes_of(sellp.view().columns, sellp.view().slice_offsets) + values(sellp));
  const auto hyb =
      convert<hyb_matrix<float>>(a, {.hyb = {.strategy = hyb_strategy::minimal_storage}});
  EXPECT_EQ(sizes.at(format::hyb), bytes_of(hyb.ell().view().columns, hyb.coo().row_indices(),
                                            hyb.coo().column_indices()) +
                                       values(hyb.ell()) + values(hyb.coo()));
  EXPECT_EQ(sizes.at(format::dense), values(convert<dense_matrix<float>>(a)));
}

TEST(FormatSizes, DoNotOverflow) {
  const index_t million = 1'000'000;
  const csr_matrix<double> large({million, million}, 0);
  const auto a = analyse(serial, large);
  EXPECT_EQ(by_format(a).at(format::dense), 8 * million * million);
  EXPECT_DOUBLE_EQ(a.bytes[6].overhead, 8e12 / 4'000'004);

  const std::vector<index_t> lengths{index_t{1} << 61, 0};
  const auto sizes =
      analysis::format_sizes(serial, {2, index_t{1} << 62}, value_type::f64, lengths);
  for (const auto& f : sizes) {
    if (f.format == format::hyb || f.format == format::coo || f.format == format::ell ||
        f.format == format::csr || f.format == format::dense || f.format == format::sellp) {
      EXPECT_EQ(f.bytes, std::numeric_limits<index_t>::max()) << name(f.format);
    }
  }
}

}  // namespace
}  // namespace gossamer
