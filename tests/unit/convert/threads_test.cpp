// bitwise the same for any number of threads, on matrices large enough that every thread has work.
#include <gtest/gtest.h>

#include "gossamer/convert.hpp"
#include "triplets.hpp"

namespace gossamer::test {
namespace {

const matrix_case& large() {
  static const matrix_case drawn = [] {
    matrix_case c{"large", {9000, 7000}, random_entries({9000, 7000}, 60000, 3)};
    for (auto& t : c.entries)  // one heavy row, and many equal columns in it
      if (t.row % 3 == 0) t.column %= 50;
    return c;
  }();
  return drawn;
}

template <class Owner>
void expect_same_values(const Owner& a, const Owner& b) {
  ASSERT_EQ(a.values().size(), b.values().size());
  EXPECT_EQ(std::memcmp(a.values().data(), b.values().data(), a.values().size_bytes()), 0);
}
void expect_same(const csr_matrix<double>& a, const csr_matrix<double>& b) {
  EXPECT_EQ(numbers(a.row_offsets()), numbers(b.row_offsets()));
  EXPECT_EQ(numbers(a.column_indices()), numbers(b.column_indices()));
  expect_same_values(a, b);
}
void expect_same(const csc_matrix<double>& a, const csc_matrix<double>& b) {
  EXPECT_EQ(numbers(a.column_offsets()), numbers(b.column_offsets()));
  EXPECT_EQ(numbers(a.row_indices()), numbers(b.row_indices()));
  expect_same_values(a, b);
}
void expect_same(const coo_matrix<double>& a, const coo_matrix<double>& b) {
  EXPECT_EQ(numbers(a.row_indices()), numbers(b.row_indices()));
  EXPECT_EQ(numbers(a.column_indices()), numbers(b.column_indices()));
  expect_same_values(a, b);
}
void expect_same(const ell_matrix<double>& a, const ell_matrix<double>& b) {
  EXPECT_EQ(numbers(a.view().columns), numbers(b.view().columns));
  expect_same_values(a, b);
}
void expect_same(const sellp_matrix<double>& a, const sellp_matrix<double>& b) {
  EXPECT_EQ(numbers(a.view().slice_offsets), numbers(b.view().slice_offsets));
  EXPECT_EQ(numbers(a.view().row_order), numbers(b.view().row_order));
  EXPECT_EQ(numbers(a.view().columns), numbers(b.view().columns));
  expect_same_values(a, b);
}
void expect_same(const hyb_matrix<double>& a, const hyb_matrix<double>& b) {
  expect_same(a.ell(), b.ell());
  expect_same(a.coo(), b.coo());
}

const convert_options how{.slice = 16,
                          .sort_window = 256,
                          .padding_limit = 0,
                          .hyb = {.strategy = hyb_strategy::minimal_storage}};

template <class To, class From>
void check_pair(const From& from) {
  const To serial = convert<To>(context::reference(), from, how);
  EXPECT_EQ(sorted(entries_of(serial.view())), sorted(large().entries));
  for (const int threads : {2, 3, 8})
    expect_same(serial, convert<To>(context::openmp(threads), from, how));
}

template <class From>
void check_source() {
  const auto from = convert<From>(context::reference(), make_coo<double>(large()), how);
  check_pair<csr_matrix<double>>(from);
  check_pair<csc_matrix<double>>(from);
  check_pair<coo_matrix<double>>(from);
  check_pair<ell_matrix<double>>(from);
  check_pair<sellp_matrix<double>>(from);
  check_pair<hyb_matrix<double>>(from);
}

TEST(Threads, FromCsr) { check_source<csr_matrix<double>>(); }
TEST(Threads, FromCsc) { check_source<csc_matrix<double>>(); }
TEST(Threads, FromCoo) { check_source<coo_matrix<double>>(); }
TEST(Threads, FromEll) { check_source<ell_matrix<double>>(); }
TEST(Threads, FromSellp) { check_source<sellp_matrix<double>>(); }
TEST(Threads, FromHyb) { check_source<hyb_matrix<double>>(); }

TEST(Threads, DenseThereAndBack) {
  const matrix_case wide{"", {300, 170}, random_entries({300, 170}, 9000, 5)};
  const auto from = make_csr<double>(wide);
  for (const auto order : {layout::row_major, layout::column_major}) {
    const auto serial = convert<dense_matrix<double>>(context::reference(), from, {.order = order});
    EXPECT_EQ(entries_of(serial.view()), summed(wide.entries));
    for (const int threads : {2, 5}) {
      const auto ctx = context::openmp(threads);
      const auto dense = convert<dense_matrix<double>>(ctx, from, {.order = order});
      expect_same_values(serial, dense);
      expect_same(convert<csr_matrix<double>>(context::reference(), serial),
                  convert<csr_matrix<double>>(ctx, dense));
      const auto turned = convert<dense_matrix<double>>(ctx, transposed(dense), {.order = order});
      for (index_t i = 0; i < 300; ++i)
        for (index_t j = 0; j < 170; ++j) ASSERT_EQ(turned(j, i), dense(i, j));
    }
  }
}

}  // namespace
}  // namespace gossamer::test
