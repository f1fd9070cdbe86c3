// Every way a matrix can be broken, each by hand, and what the report must say about it.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "gossamer/validate.hpp"

namespace gossamer {
namespace {

using narrow = std::vector<std::int32_t>;
using wide = std::vector<std::int64_t>;
constexpr int x = static_cast<int>(padding);

index_view view_of(const narrow& v) { return {v.data(), static_cast<index_t>(v.size())}; }
index_view view_of(const wide& v) { return {v.data(), static_cast<index_t>(v.size())}; }

const std::vector<double> ones(64, 1.0);

struct expected {
  bool sorted = true, unique = true;
};

template <class View>
void expect_valid(const View& a, expected wanted = {}) {
  const auto report = inspect_structure(a);
  EXPECT_TRUE(report.valid) << report.problem;
  EXPECT_EQ(report.problem, "");
  EXPECT_EQ(report.sorted, wanted.sorted);
  EXPECT_EQ(report.unique, wanted.unique);
  EXPECT_NO_THROW(validate(a));
}

template <class View>
void expect_problem(const View& a, const std::string& problem) {
  const auto report = inspect_structure(a);
  EXPECT_FALSE(report.valid);
  EXPECT_FALSE(report.sorted);
  EXPECT_FALSE(report.unique);
  EXPECT_EQ(report.problem, problem);
  EXPECT_THROW(validate(a), error);
}

csr_view<const double> csr(extents shape, index_view offsets, index_view columns) {
  return {shape, offsets, columns, ones.data()};
}

TEST(ValidateCsr, Good) {
  const narrow offsets{0, 2, 2, 5}, columns{0, 3, 1, 2, 3};
  const wide long_offsets{0, 2, 2, 5}, long_columns{0, 3, 1, 2, 3};
  expect_valid(csr({3, 4}, view_of(offsets), view_of(columns)));
  expect_valid(csr({3, 4}, view_of(long_offsets), view_of(columns)));
  expect_valid(csr({3, 4}, view_of(long_offsets), view_of(long_columns)));
  expect_valid(csr_view<const double>{});
}

TEST(ValidateCsr, Sizes) {
  const narrow offsets{0, 2, 5}, columns{0, 3, 1, 2, 3};
  expect_problem(csr({3, 4}, view_of(offsets), view_of(columns)),
                 "3 offsets were given, expected 4");
  expect_problem(csr({-1, 4}, view_of(offsets), view_of(columns)), "the shape -1 x 4 is negative");
  expect_problem(csr({std::numeric_limits<index_t>::max(), 4}, view_of(offsets), view_of(columns)),
                 "the shape 9223372036854775807 x 4 goes beyond 2^62");
  const csr_view<const double> no_values({2, 4}, view_of(offsets), view_of(columns), nullptr);
  expect_problem(no_values, "the values are a null pointer, expected 5");
  const csr_view<const double> no_columns({2, 4}, view_of(offsets),
                                          index_view(nullptr, 5, index_width::i32), ones.data());
  expect_problem(no_columns, "the columns are a null pointer, expected 5");
  const wide long_columns{0, 3, 1, 2, 3};
  expect_problem(csr({2, 4}, view_of(offsets), view_of(long_columns)),
                 "the columns are i64 but the offsets i32; expected 32/32, 32/64 or 64/64");
}

TEST(ValidateCsr, Offsets) {
  const narrow columns{0, 3, 1, 2, 3};
  const narrow late{1, 2, 5}, falling{0, 4, 3, 5}, early{0, 2, 4};
  expect_problem(csr({2, 4}, view_of(late), view_of(columns)),
                 "the offsets start at 1, expected 0");
  expect_problem(csr({3, 4}, view_of(falling), view_of(columns)),
                 "row 1: the offsets fall from 4 to 3");
  expect_problem(csr({2, 4}, view_of(early), view_of(columns)),
                 "the offsets end at 4, but 5 entries are stored");
}

TEST(ValidateCsr, Ranges) {
  const narrow offsets{0, 2, 5}, beyond{0, 3, 1, 2, 4}, negative{0, -1, 1, 2, 3};
  expect_problem(csr({2, 4}, view_of(offsets), view_of(beyond)),
                 "row 1, entry 2: column 4 is not in [0, 4)");
  expect_problem(csr({2, 4}, view_of(offsets), view_of(negative)),
                 "row 0, entry 1: column -1 is not in [0, 4)");
}

TEST(ValidateCsr, OrderAndDuplicates) {
  const narrow offsets{0, 2, 5};
  const narrow unsorted{3, 0, 1, 2, 3}, twice{0, 3, 1, 1, 3}, hidden{0, 3, 2, 1, 2};
  expect_valid(csr({2, 4}, view_of(offsets), view_of(unsorted)), {.sorted = false});
  expect_valid(csr({2, 4}, view_of(offsets), view_of(twice)), {.unique = false});
  expect_valid(csr({2, 4}, view_of(offsets), view_of(hidden)), {.sorted = false, .unique = false});
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::bad_input);
    return e.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(ValidateCsr, RequirementsNameTheFirstOffence) {
  const narrow offsets{0, 2, 5}, hidden{0, 3, 2, 1, 2};
  const auto a = csr({2, 4}, view_of(offsets), view_of(hidden));
  EXPECT_EQ(refusal([&] { validate(a, {.sorted = true}, "A"); }),
            "A (f64 csr, 2 x 4, 5 entries): row 1, entry 1: column 1 comes after column 2; "
            "sort_columns puts a CSR matrix in order");
  EXPECT_EQ(refusal([&] { validate(a, {.unique = true}, "A"); }),
            "A (f64 csr, 2 x 4, 5 entries): row 1: column 2 is stored more than once; "
            "sum_duplicates adds up those of a CSR matrix");
  const narrow broken{0, 3, 2, 9, 2};
  EXPECT_EQ(refusal([&] {
              validate(csr({2, 4}, view_of(offsets), view_of(broken)), {}, "file.mtx");
            }),
            "file.mtx (f64 csr, 2 x 4, 5 entries): row 1, entry 1: column 9 is not in [0, 4)");
}

TEST(ValidateCsr, TheFirstOffenceOfManyRowsIsNamed) {
  // Enough rows for several threads; the violations are far apart.
  constexpr std::int32_t rows = 20000;
  narrow offsets(rows + 1), columns(rows, 5);
  for (std::int32_t i = 0; i <= rows; ++i) offsets[static_cast<std::size_t>(i)] = i;
  columns[19000] = 50;
  columns[7321] = 99;
  const std::vector<double> values(rows, 1.0);
  const csr_view<const double> a({rows, 50}, view_of(offsets), view_of(columns), values.data());
  expect_problem(a, "row 7321, entry 0: column 99 is not in [0, 50)");
}

TEST(ValidateCsc, ByHand) {
  const narrow offsets{0, 1, 3}, rows{2, 0, 1}, beyond{2, 0, 3};
  expect_valid(csc_view<const double>({3, 2}, view_of(offsets), view_of(rows), ones.data()));
  expect_problem(csc_view<const double>({3, 2}, view_of(offsets), view_of(beyond), ones.data()),
                 "column 1, entry 1: row 3 is not in [0, 3)");
  expect_problem(csc_view<const double>({2, 3}, view_of(offsets), view_of(rows), ones.data()),
                 "3 offsets were given, expected 4");
}

coo_view<const double> coo(extents shape, const narrow& rows, const narrow& columns) {
  return {shape, view_of(rows), view_of(columns), ones.data()};
}

TEST(ValidateCoo, ByHand) {
  const narrow rows{0, 0, 2}, columns{1, 3, 0};
  expect_valid(coo({3, 4}, rows, columns));
  expect_problem(coo({2, 4}, rows, columns), "entry 2: row 2 is not in [0, 2)");
  expect_problem(coo({3, 3}, rows, columns), "entry 1: column 3 is not in [0, 3)");
  expect_problem(coo({3, 4}, {0, 0}, columns), "2 rows were given, expected 3");
  expect_valid(coo({3, 4}, {0, 2, 0}, columns), {.sorted = false});
  expect_valid(coo({3, 4}, {0, 0, 0}, {1, 1, 2}), {.unique = false});
  expect_valid(coo({3, 4}, {1, 0, 1}, {1, 1, 1}), {.sorted = false, .unique = false});
  const wide wide_rows{0, 0, 2};
  expect_problem(coo_view<const double>({3, 4}, view_of(wide_rows), view_of(columns), ones.data()),
                 "the rows are i64, expected i32 as the other indices are");
}

TEST(ValidateCoo, ADuplicateFarAwayIsFound) {
  constexpr int count = 20000;
  narrow rows, columns;
  for (int k = 0; k < count; ++k) {
    rows.push_back((k * 7919) % count);  // every row once, in a wild order
    columns.push_back(k % 10);
  }
  const std::vector<double> values(count + 1, 1.0);
  const auto view = [&] {
    return coo_view<const double>({count, 10}, view_of(rows), view_of(columns), values.data());
  };
  expect_valid(view(), {.sorted = false});
  rows.push_back(rows[17]);
  columns.push_back(columns[17]);
  expect_valid(view(), {.sorted = false, .unique = false});
}

ell_view<const double> ell(const narrow& columns, index_t entries = 4) {
  return {{3, 4}, 2, 3, view_of(columns), ones.data(), entries};
}

TEST(ValidateEll, ByHand) {
  expect_valid(ell({0, 1, 2, 3, x, 3}, 5));
  expect_valid(ell({0, x, 2, 3, x, 3}));
  expect_valid(ell({3, x, 2, 0, x, 3}), {.sorted = false});
  expect_valid(ell({0, x, 2, 3, x, 2}), {.unique = false});
  expect_problem(ell({0, 1, 2, 3, x}), "5 columns were given, expected 6");
  expect_problem(ell({0, x, 2, 3, 1, 3}),
                 "row 1, place 1: column 1 comes after padding at place 0");
  expect_problem(ell({0, x, 4, 3, x, 3}), "row 2, entry 0: column 4 is not in [0, 4)");
  expect_problem(ell({0, x, -2, 3, x, 3}), "row 2, entry 0: column -2 is not in [0, 4)");
  expect_problem(ell({0, x, 2, 3, x, 3}, 5), "4 entries are stored, but the matrix says 5");
}

TEST(ValidateEll, Stride) {
  const narrow columns{0, 1, 2, x, x, x, x, x}, behind{0, 1, 2, x, x, x, x, 1};
  expect_valid(ell_view<const double>({3, 4}, 2, 4, view_of(columns), ones.data(), 3));
  expect_problem(ell_view<const double>({3, 4}, 2, 4, view_of(behind), ones.data(), 3),
                 "row 3, place 1: column 1 comes after padding at place 0");
  expect_problem(ell_view<const double>({3, 4}, 4, 2, view_of(columns), ones.data(), 3),
                 "4 places per row at stride 2 were given, expected a stride of at least 3 rows");
  const index_t vast = index_t{1} << 40;
  expect_problem(ell_view<const double>({3, 4}, vast, vast, view_of(columns), ones.data(), 3),
                 "1099511627776 x 1099511627776 places do not fit 64 bits");
}

struct sellp_arrays {
  narrow slice_offsets{0, 1, 3}, columns{0, 1, 2, x, 3, x}, row_order = {};
  index_t entries = 4;
  sellp_view<const double> view() const {
    return {{3, 4},      2,      view_of(slice_offsets), view_of(columns), view_of(row_order),
            ones.data(), entries};
  }
};

TEST(ValidateSellp, ByHand) {
  expect_valid(sellp_arrays{}.view());
  expect_valid(sellp_arrays{.row_order = {2, 0, 1}}.view());
  expect_valid(sellp_arrays{.columns = {0, 1, 3, x, 2, x}}.view(), {.sorted = false});
  expect_problem(sellp_arrays{.slice_offsets = {0, 3}}.view(), "2 offsets were given, expected 3");
  expect_problem(sellp_arrays{.slice_offsets = {0, 1, 4}}.view(),
                 "the slice offsets end at 4 places of 2 rows, but 6 are stored");
  expect_problem(sellp_arrays{.slice_offsets = {0, 4, 3}}.view(),
                 "slice 1: the offsets fall from 4 to 3");
  expect_problem(sellp_arrays{.columns = {0, 1, 2, x, 4, x}}.view(),
                 "row 2, entry 1: column 4 is not in [0, 4)");
  expect_problem(sellp_arrays{.columns = {0, 1, x, x, 3, x}}.view(),
                 "row 2, place 1: column 3 comes after padding at place 0");
  expect_problem(
      sellp_arrays{.columns = {0, 1, 2, 0, 3, x}}.view(),
      "column 0 is stored behind the last row, at position 3, where only padding may be");
  expect_problem(sellp_arrays{.entries = 3}.view(), "4 entries are stored, but the matrix says 3");
  auto no_slice = sellp_arrays{};
  auto view = no_slice.view();
  view.slice = 0;
  expect_problem(view, "slices of 0 rows were given, expected 1 or more");
}

TEST(ValidateSellp, RowOrder) {
  expect_problem(sellp_arrays{.row_order = {0, 2}}.view(),
                 "2 places in the row order were given, expected 3");
  expect_problem(sellp_arrays{.row_order = {0, 2, 2}}.view(),
                 "row order, position 2: row 2 is named a second time");
  expect_problem(sellp_arrays{.row_order = {0, 3, 1}}.view(),
                 "row order, position 1: row 3 is not in [0, 3)");
  // The row that is named is the row of the matrix, not the place where it is stored.
  expect_problem(sellp_arrays{.columns = {0, 9, 2, x, 3, x}, .row_order = {1, 2, 0}}.view(),
                 "row 2, entry 0: column 9 is not in [0, 4)");
}

struct hyb_arrays {
  narrow ell_columns{0, 1, x}, rows{0, 0, 1}, columns{1, 3, 2};
  extents coo_shape{3, 4};
  hyb_view<const double> view() const {
    return {ell_view<const double>({3, 4}, 1, 3, view_of(ell_columns), ones.data(), 2),
            coo_view<const double>(coo_shape, view_of(rows), view_of(columns), ones.data())};
  }
};

TEST(ValidateHyb, ByHand) {
  expect_valid(hyb_arrays{}.view());
  expect_valid(hyb_arrays{.columns = {1, 3, 0}}.view(), {.sorted = false});  // row 1: 1, then 0
  expect_valid(hyb_arrays{.columns = {0, 3, 2}}.view(), {.unique = false});  // row 0: 0 twice
  expect_valid(hyb_arrays{.columns = {3, 0, 2}}.view(), {.sorted = false, .unique = false});
  expect_problem(hyb_arrays{.rows = {1, 0, 1}}.view(),
                 "the COO part, entry 1: row 0 comes after row 1; it must be sorted by row");
  expect_problem(hyb_arrays{.columns = {1, 3, 4}}.view(),
                 "the COO part: entry 2: column 4 is not in [0, 4)");
  expect_problem(hyb_arrays{.ell_columns = {0, 7, x}}.view(),
                 "the ELL part: row 1, entry 0: column 7 is not in [0, 4)");
  expect_problem(hyb_arrays{.coo_shape = {3, 5}}.view(),
                 "the shape is 3 x 4, that of the ELL part 3 x 4, that of the COO part 3 x 5");
}

TEST(ValidateDense, ByHand) {
  expect_valid(dense_view<const double>({3, 4}, layout::row_major, 4, ones.data()));
  expect_valid(dense_view<const double>({0, 4}, layout::row_major, 4, nullptr));
  expect_problem(dense_view<const double>({3, 4}, layout::row_major, 3, ones.data()),
                 "the row-major stride is 3, expected at least 4");
  expect_problem(dense_view<const double>({3, 4}, layout::column_major, 4, nullptr),
                 "the values are a null pointer, expected 4");
  const index_t vast = index_t{1} << 40;
  expect_problem(dense_view<const double>({vast, vast}, layout::row_major, vast, ones.data()),
                 "1099511627776 x 1099511627776 values do not fit 64 bits");
}

TEST(ValidateDevice, IsRefusedNotRead) {
  csr_view<const double> a({2, 2}, index_view(nullptr, 3, index_width::i32),
                           index_view(nullptr, 2, index_width::i32), nullptr, memory::device);
  try {
    inspect_structure(a);
    FAIL() << "device memory was read";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::not_available);
    EXPECT_NE(std::string(e.what()).find("2 x 2"), std::string::npos);
  }
}

}  // namespace
}  // namespace gossamer
