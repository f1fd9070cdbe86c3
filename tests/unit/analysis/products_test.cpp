#include <gtest/gtest.h>

#include "matrices.hpp"

namespace gossamer {
namespace {

using namespace analysis_tests;

const auto serial = context::reference();

TEST(Products, HandWritten) {
  // B's rows have 2, 0 and 3 entries.
  const auto a = matrix_of({{0, 2}, {1}, {}, {2, 2}}, 3);
  const auto b = matrix_of({{0, 4}, {}, {1, 2, 3}}, 5);
  EXPECT_EQ(to_vector(products_per_row(serial, a, b).span()), (std::vector<index_t>{5, 0, 0, 6}));
  EXPECT_EQ(count_products(serial, a, b), 11);
}

TEST(Products, EveryWayAnOperandCanBeGiven) {
  const auto left = shuffled_with_duplicates(random_rows(700, 300, 12, 1), 2);
  const auto right = random_rows(300, 500, 9, 3);
  const auto expected = products_of(left, right);
  const index_t total = std::accumulate(expected.begin(), expected.end(), index_t{0});
  const auto a = matrix_of<float>(left, 300, {index_width::i32, index_width::i64});
  const auto a_turned = matrix_of<float>(transpose(left, 300), 700);
  const auto a_columns = csc_of(left, 300);
  const auto b = matrix_of<float>(right, 500, {index_width::i64, index_width::i64});
  const auto b_turned = matrix_of<float>(transpose(right, 500), 300);
  for (const int threads : {1, 2, 5}) {
    const auto where = context::openmp(threads);
    const auto check = [&](const auto& x, const auto& y) {
      EXPECT_EQ(to_vector(products_per_row(where, x, y).span()), expected);
      EXPECT_EQ(count_products(where, x, y), total);
    };
    check(a, b);
    check(transposed(a_turned), b);
    check(a, transposed(b_turned));
    check(transposed(a_turned), scaled(2.0f, transposed(b_turned)));
    check(a_columns, b);
  }
}

TEST(Products, OfEmptyMatrices) {
  const csr_matrix<double> none({0, 3}, 0), some({3, 0}, 0), nothing({0, 0}, 0);
  EXPECT_EQ(products_per_row(serial, none, some).size(), 0);
  EXPECT_EQ(to_vector(products_per_row(serial, some, none).span()),
            (std::vector<index_t>{0, 0, 0}));
  EXPECT_EQ(count_products(serial, nothing, nothing), 0);
  EXPECT_EQ(count_products(serial, transposed(none), transposed(some)), 0);
}

TEST(Products, ShapesMustMatch) {
  const csr_matrix<double> a({3, 4}, 0), b({5, 6}, 0);
  try {
    products_per_row(serial, a, b);
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::bad_argument);
    EXPECT_STREQ(e.what(), "A is 3 x 4 and B is 5 x 6: A's columns must equal B's rows (4 ≠ 5)");
  }
  EXPECT_NO_THROW(products_per_row(serial, transposed(b), csr_matrix<double>({5, 2}, 0)));
}

// A view whose offsets promise nonzeros that are never read: only lengths matter here.
struct promised {
  std::vector<std::int64_t> offsets;
  csr_view<const double> view() const {
    return {{1, 10},
            {offsets.data(), 2},
            {static_cast<const std::int64_t*>(nullptr), offsets[1]},
            nullptr};
  }
};

TEST(Products, OverflowIsDetectedNotWrapped) {
  const promised b{{0, index_t{1} << 62}};
  const auto fits = matrix_of({{0}}, 1), row = matrix_of({{0, 0, 0, 0}}, 1),
             rows = matrix_of({{0}, {0}}, 1);
  EXPECT_EQ(count_products(serial, fits, b.view()), index_t{1} << 62);
  EXPECT_EQ(products_per_row(serial, fits, b.view())[0], index_t{1} << 62);
  const auto refuses = [&](const auto& a) {
    for (int kind = 0; kind < 2; ++kind) try {
        if (kind == 0)
          products_per_row(serial, a, b.view());
        else
          count_products(serial, a, b.view());
        ADD_FAILURE() << "expected an overflow";
      } catch (const error& e) {
        EXPECT_EQ(e.kind(), error_kind::overflow);
        EXPECT_NE(std::string(e.what()).find("4,611,686,018,427,387,904 entries"),
                  std::string::npos);
      }
  };
  refuses(row);   // one row overflows
  refuses(rows);  // only the sum does
  refuses(csc_of({{0}, {0}}, 1));
  refuses(csc_of({{0, 0, 0}}, 1));
}

}  // namespace
}  // namespace gossamer
