// The arrays of every format written down by hand for the example of
// docs/guide/formats-in-memory.md:
//   10  .  . 20  .
//    . 30  .  .  .
//   40 50 60 70  .
//    .  .  .  .  .
#include <gtest/gtest.h>

#include "gossamer/convert.hpp"
#include "triplets.hpp"

namespace gossamer::test {
namespace {

using list = std::vector<index_t>;
constexpr index_t x = padding;

const matrix_case example{
    "example",
    {4, 5},
    {{0, 0, 10}, {0, 3, 20}, {1, 1, 30}, {2, 0, 40}, {2, 1, 50}, {2, 2, 60}, {2, 3, 70}}};

template <class Owner>
std::vector<double> values(const Owner& m) {
  return {m.values().begin(), m.values().end()};
}

TEST(Layout, Csr) {
  const auto a = convert<csr_matrix<double>>(make_coo<double>(example));
  EXPECT_EQ(numbers(a.row_offsets()), (list{0, 2, 3, 7, 7}));
  EXPECT_EQ(numbers(a.column_indices()), (list{0, 3, 1, 0, 1, 2, 3}));
  EXPECT_EQ(values(a), (std::vector<double>{10, 20, 30, 40, 50, 60, 70}));
}

TEST(Layout, Csc) {
  const auto a = convert<csc_matrix<double>>(make_csr<double>(example));
  EXPECT_EQ(numbers(a.column_offsets()), (list{0, 2, 4, 5, 7, 7}));
  EXPECT_EQ(numbers(a.row_indices()), (list{0, 2, 1, 2, 2, 0, 2}));
  EXPECT_EQ(values(a), (std::vector<double>{10, 40, 30, 50, 60, 20, 70}));
}

TEST(Layout, Coo) {
  const auto a = convert<coo_matrix<double>>(make_csr<double>(example));
  EXPECT_EQ(numbers(a.row_indices()), (list{0, 0, 1, 2, 2, 2, 2}));
  EXPECT_EQ(numbers(a.column_indices()), (list{0, 3, 1, 0, 1, 2, 3}));
  EXPECT_EQ(values(a), (std::vector<double>{10, 20, 30, 40, 50, 60, 70}));
}

TEST(Layout, Ell) {
  const auto a = convert<ell_matrix<double>>(make_csr<double>(example));
  EXPECT_EQ(a.width(), 4);
  EXPECT_EQ(a.stride(), 4);
  EXPECT_EQ(numbers(a.view().columns), (list{0, 1, 0, x, 3, x, 1, x, x, x, 2, x, x, x, 3, x}));
  EXPECT_EQ(values(a),
            (std::vector<double>{10, 30, 40, 0, 20, 0, 50, 0, 0, 0, 60, 0, 0, 0, 70, 0}));
  EXPECT_EQ(convert<ell_matrix<double>>(a, {.stride_factor = 3}).stride(), 6);
}

TEST(Layout, SellpPlain) {
  const auto a = convert<sellp_matrix<double>>(make_csr<double>(example), {.slice = 2});
  const auto view = a.view();
  EXPECT_EQ(numbers(view.slice_offsets), (list{0, 2, 6}));
  EXPECT_EQ(numbers(view.columns), (list{0, 1, 3, x, 0, x, 1, x, 2, x, 3, x}));
  EXPECT_EQ(values(a), (std::vector<double>{10, 30, 20, 0, 40, 0, 50, 0, 60, 0, 70, 0}));
  EXPECT_EQ(view.row_order.size(), 0);
}

TEST(Layout, SellpStrideFactorRoundsEachSliceUp) {
  const auto a =
      convert<sellp_matrix<double>>(make_csr<double>(example), {.slice = 2, .stride_factor = 3});
  EXPECT_EQ(numbers(a.view().slice_offsets), (list{0, 3, 9}));
}

TEST(Layout, SellpSortedInAWindow) {
  const auto a =
      convert<sellp_matrix<double>>(make_csr<double>(example), {.slice = 2, .sort_window = 4});
  const auto view = a.view();
  EXPECT_EQ(numbers(view.row_order), (list{2, 0, 1, 3}));
  EXPECT_EQ(numbers(view.slice_offsets), (list{0, 4, 5}));
  EXPECT_EQ(numbers(view.columns), (list{0, 0, 1, 3, 2, x, 3, x, 1, x}));
  EXPECT_EQ(values(a), (std::vector<double>{40, 10, 50, 20, 60, 0, 70, 0, 30, 0}));
  // A window of two rows sorts inside each pair only; equal lengths keep their order.
  const auto b = convert<sellp_matrix<double>>(
      make_csr<double>({"", {4, 2}, {{0, 0, 1}, {1, 0, 1}, {3, 0, 1}}}),
      {.slice = 2, .sort_window = 2});
  EXPECT_EQ(numbers(b.view().row_order), (list{0, 1, 3, 2}));
}

TEST(Layout, Hyb) {
  const auto a = convert<hyb_matrix<double>>(
      make_csr<double>(example), {.hyb = {.strategy = hyb_strategy::column_limit, .columns = 1}});
  EXPECT_EQ(a.ell().width(), 1);
  EXPECT_EQ(a.ell().nnz(), 3);
  EXPECT_EQ(numbers(a.ell().view().columns), (list{0, 1, 0, x}));
  EXPECT_EQ(numbers(a.coo().row_indices()), (list{0, 2, 2, 2}));
  EXPECT_EQ(numbers(a.coo().column_indices()), (list{3, 1, 2, 3}));
  EXPECT_EQ(values(a.coo()), (std::vector<double>{20, 50, 60, 70}));
}

TEST(Layout, Dense) {
  const std::vector<double> by_rows{10, 0,  0,  20, 0, 0, 30, 0, 0, 0,
                                    40, 50, 60, 70, 0, 0, 0,  0, 0, 0};
  const auto a = convert<dense_matrix<double>>(make_csr<double>(example));
  EXPECT_EQ(values(a), by_rows);
  const auto b = convert<dense_matrix<double>>(a, {.order = layout::column_major});
  EXPECT_EQ(b.order(), layout::column_major);
  EXPECT_EQ(values(b), (std::vector<double>{10, 0, 40, 0, 0,  30, 50, 0, 0, 0,
                                            60, 0, 20, 0, 70, 0,  0,  0, 0, 0}));
}

TEST(Order, RowsKeepTheirOrderThroughRowFormats) {
  const matrix_case unsorted{
      "", {2, 5}, {{0, 4, 1}, {0, 1, 2}, {0, 4, 3}, {0, 0, 4}, {1, 2, 5}, {1, 2, 6}}};
  const auto source = make_csr<double>(unsorted);
  const auto back = [&](const auto& there) {
    return entries_of(convert<csr_matrix<double>>(there).view());
  };
  EXPECT_EQ(back(convert<coo_matrix<double>>(source)), unsorted.entries);
  EXPECT_EQ(back(convert<ell_matrix<double>>(source)), unsorted.entries);
  EXPECT_EQ(back(convert<sellp_matrix<double>>(source, {.slice = 1, .sort_window = 2})),
            unsorted.entries);
  EXPECT_EQ(back(convert<hyb_matrix<double>>(
                source, {.hyb = {.strategy = hyb_strategy::column_limit, .columns = 1}})),
            unsorted.entries);
}

TEST(Order, CooToCsrIsStableAndCscSortsRows) {
  const matrix_case scattered{"", {3, 3}, {{2, 1, 1}, {0, 2, 2}, {2, 0, 3}, {0, 2, 4}, {2, 1, 5}}};
  const auto coo = make_coo<double>(scattered);
  EXPECT_EQ(entries_of(convert<csr_matrix<double>>(coo).view()),
            (std::vector<triplet>{{0, 2, 2}, {0, 2, 4}, {2, 1, 1}, {2, 0, 3}, {2, 1, 5}}));
  EXPECT_EQ(entries_of(convert<csc_matrix<double>>(coo).view()),
            (std::vector<triplet>{{2, 0, 3}, {2, 1, 1}, {2, 1, 5}, {0, 2, 2}, {0, 2, 4}}));
  const auto csr = convert<csr_matrix<double>>(convert<csc_matrix<double>>(coo));
  EXPECT_EQ(entries_of(csr.view()),
            (std::vector<triplet>{{0, 2, 2}, {0, 2, 4}, {2, 0, 3}, {2, 1, 1}, {2, 1, 5}}));
}

TEST(Dense, ZerosAreDroppedNaNIsKeptAndStrideIsHonoured) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> storage{1, 0, 99, -0.0, nan, 99};
  const dense_view<const double> padded({2, 2}, layout::row_major, 3, storage.data());
  EXPECT_EQ(entries_of(convert<csr_matrix<double>>(padded).view()),
            (std::vector<triplet>{{0, 0, 1}, {1, 1, nan}}));
  const dense_view<const double> columns({2, 2}, layout::column_major, 3, storage.data());
  EXPECT_EQ(entries_of(convert<csr_matrix<double>>(columns).view()),
            (std::vector<triplet>{{0, 0, 1}, {1, 1, nan}}));
  const auto copy = convert<dense_matrix<double>>(padded);
  EXPECT_TRUE(std::signbit(copy(1, 0)));
  EXPECT_TRUE(std::isnan(copy(1, 1)));
}

TEST(Dense, AVectorIsAColumn) {
  const std::vector<double> v{0, 5, 0, 7};
  const auto a = convert<csr_matrix<double>>(v);
  EXPECT_EQ(a.shape(), (extents{4, 1}));
  EXPECT_EQ(entries_of(a.view()), (std::vector<triplet>{{1, 0, 5}, {3, 0, 7}}));
}

TEST(Views, AViewOfNothingConverts) {
  const csr_view<const double> rows;
  EXPECT_EQ(convert<csc_matrix<double>>(rows).nnz(), 0);
  EXPECT_EQ(convert<ell_matrix<double>>(rows).nnz(), 0);
  EXPECT_EQ(convert<csr_matrix<double>>(csc_view<const double>{}).rows(), 0);
  EXPECT_EQ(convert<csr_matrix<double>>(sellp_view<const double>{}).rows(), 0);
  EXPECT_EQ(convert<csr_matrix<double>>(hyb_view<const double>{}).rows(), 0);
  EXPECT_EQ(convert<hyb_matrix<double>>(dense_view<const double>{}).rows(), 0);
}

TEST(Widths, A32BitSourceWithManyRowsIsTransposedWide) {
  // Columns fit 32 bit, row numbers do not: the transpose must widen. No row holds an entry, and
  // no array has the length of the rows, so the shape alone decides.
  const coo_view<const double> tall({index_t{1} << 40, 3}, index_view(nullptr, 0, index_width::i64),
                                    index_view(nullptr, 0, index_width::i64), nullptr);
  const auto wide = convert<csr_matrix<double>>(transposed(tall));
  EXPECT_EQ(wide.shape(), (extents{3, index_t{1} << 40}));
  EXPECT_EQ(wide.index_widths(), (widths{index_width::i64, index_width::i64}));
}

}  // namespace
}  // namespace gossamer::test
