// Operands without arrays: default-constructed views and moved-from owners are 0 x 0 matrices, and
// views whose arrays do not fit their shape are refused by every call before anything is read.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <vector>

#include "base/counting_memory.hpp"
#include "expect_error.hpp"
#include "multiply/sparse.hpp"
#include "small.hpp"

namespace gossamer {
namespace {

std::vector<context> contexts() { return {context::reference(), context::openmp(2)}; }

/// Everything one can do with a sparse operand of no rows and no columns.
template <class A>
void expect_empty(const A& a) {
  std::vector<double> none;
  EXPECT_NO_THROW(validate(a));
  for (const auto& where : contexts()) {
    EXPECT_NO_THROW(multiply(where, a, none, none));
    EXPECT_NO_THROW(multiply(where, transposed(a), none, none));
    dense_matrix<double> b(0, 3), c(0, 3);
    EXPECT_NO_THROW(multiply(where, a, b, c));
    const plan prepared = multiply_inspect(where, a, none, none);
    EXPECT_NO_THROW(multiply(prepared, a, none, none));
    const auto rows = convert<csr_matrix<double>>(where, a);
    EXPECT_EQ(rows.shape(), (extents{0, 0}));
    EXPECT_EQ(add(where, a, a).nnz(), 0);
  }
}

template <class View>
void expect_empty_rows(const View& a) {
  for (const auto& where : contexts()) {
    EXPECT_EQ(multiply(where, a, a).shape(), (extents{0, 0}));
    const plan prepared = multiply_compute(where, a, transposed(a));
    csr_matrix<double> c(prepared.result_shape(), prepared.result_nnz());
    EXPECT_NO_THROW(multiply_fill(prepared, a, transposed(a), c));
    EXPECT_EQ(estimate(where, a, a).nnz, 0);
    EXPECT_EQ(count_products(where, a, a), 0);
  }
}

TEST(EmptyOperands, DefaultConstructedViews) {
  expect_empty(csr_view<const double>());
  expect_empty(csc_view<const double>());
  expect_empty(coo_view<const double>());
  expect_empty(ell_view<const double>());
  expect_empty(sellp_view<const double>());
  expect_empty(hyb_view<const double>());
  expect_empty_rows(csr_view<const double>());
  expect_empty_rows(csc_view<const double>());
}

TEST(EmptyOperands, CallsThatTakeRowsOnly) {
  const csr_view<const double> none;
  for (const auto& where : contexts()) {
    EXPECT_EQ(analyse(where, none).nnz, 0);
    EXPECT_EQ(transpose(where, none).nnz(), 0);
    EXPECT_EQ(sort_columns(where, none).nnz(), 0);
    EXPECT_EQ(sum_duplicates(where, none).nnz(), 0);
    EXPECT_EQ(keep(where, none, {.largest = 1}).nnz(), 0);
    EXPECT_EQ(symmetrise(where, none).nnz(), 0);
    const csr_matrix<double> a;
    EXPECT_EQ(multiply(where, a, a, {.mask = pattern{}}).nnz(), 0);
  }
  const auto path = std::filesystem::temp_directory_path() / "gossamer_empty_operand.gsm";
  for (const auto kind : {file_kind::matrix_market, file_kind::npz, file_kind::binary}) {
    write<double>(path, none, {.kind = kind});
    EXPECT_EQ(read_sparse<double>(path).shape(), (extents{0, 0}));
  }
  std::filesystem::remove(path);
}

template <class Owner>
void expect_empty_after_a_move() {
  const small_matrix m;
  auto owner = convert<Owner>(m.view());
  const Owner taken = std::move(owner);
  EXPECT_EQ(taken.shape(), (extents{3, 4}));
  EXPECT_EQ(owner.shape(), (extents{0, 0}));  // NOLINT: what is left is the point
  EXPECT_EQ(owner.nnz(), 0);
  expect_empty(owner);
  owner = taken;
  Owner other;
  other = std::move(owner);
  EXPECT_EQ(other.nnz(), 4);
  EXPECT_EQ(owner.shape(), (extents{0, 0}));  // NOLINT
}

TEST(EmptyOperands, MovedFromOwners) {
  expect_empty_after_a_move<csr_matrix<double>>();
  expect_empty_after_a_move<csc_matrix<double>>();
  expect_empty_after_a_move<coo_matrix<double>>();
  expect_empty_after_a_move<ell_matrix<double>>();
  expect_empty_after_a_move<sellp_matrix<double>>();
  expect_empty_after_a_move<hyb_matrix<double>>();
  dense_matrix<double> dense(3, 4);
  const auto taken = std::move(dense);
  EXPECT_EQ(taken.rows(), 3);
  EXPECT_EQ(dense.shape(), (extents{0, 0}));  // NOLINT
  index_buffer indices(3, index_width::i64);
  const auto kept = std::move(indices);
  EXPECT_EQ(kept.size(), 3);
  EXPECT_EQ(indices.size(), 0);  // NOLINT
}

TEST(EmptyOperands, AMovedFromOwnerNoLongerFitsItsVectors) {
  const small_matrix m;
  auto a = convert<csr_matrix<double>>(m.view());
  std::vector<double> x(4), y(3);
  const plan prepared = multiply_inspect(context::openmp(2), a, x, y);
  const auto taken = std::move(a);
  expect_error([&] { multiply(context::openmp(2), a, x, y); },  // NOLINT
               {error_kind::bad_argument, {"A is 0 x 0"}});
  expect_error([&] { multiply(prepared, a, x, y); }, {error_kind::bad_argument, {"A is 0 x 0"}});
}

class BrokenSizes : public testing::Test {
 protected:
  small_matrix m;
  std::vector<double> x = std::vector<double>(4, 1.0), y = std::vector<double>(3);

  void refused(const csr_view<const double>& a, const std::string& what) {
    for (const auto& where : contexts()) {
      const plan prepared = multiply_inspect(where, m.view(), x, y);
      const expectation wanted{error_kind::bad_argument, {what}};
      expect_error([&] { multiply(where, a, x, y); }, wanted);
      expect_error([&] { multiply(prepared, a, x, y); }, wanted);
      expect_error([&] { multiply_inspect(where, a, x, y); }, wanted);
      expect_error([&] { multiply(where, a, transposed(m.view())); }, wanted);
      expect_error([&] { multiply_compute(where, transposed(m.view()), a); }, wanted);
      expect_error([&] { transpose(where, a); }, wanted);
    }
  }
};

TEST_F(BrokenSizes, ShortOffsetsAndMissingArrays) {
  auto a = m.view();
  a.offsets = {m.offsets, 3};
  refused(a, "3 offsets were given, expected 4");
  a = m.view();
  a.offsets = {};
  refused(a, "0 offsets were given, expected 4");
  a = m.view();
  a.values = nullptr;
  refused(a, "values are a null pointer");
  a = m.view();
  a.columns = {static_cast<const std::int32_t*>(nullptr), 4};
  refused(a, "columns are a null pointer");
}

TEST_F(BrokenSizes, StridesShorterThanARowAndMissingVectors) {
  const dense_view<const double> b({4, 2}, layout::row_major, 1, x.data());
  dense_matrix<double> c(3, 2);
  std::vector<double> out(6);
  for (const auto& where : contexts()) {
    expect_error([&] { multiply(where, m.view(), b, c); },
                 {error_kind::bad_argument, {"stride is 1, expected at least 2"}});
    const dense_matrix<double> right(4, 2);
    expect_error(
        [&] {
          multiply(where, m.view(), right,
                   dense_view<double>({3, 2}, layout::column_major, 2, out.data()));
        },
        {error_kind::bad_argument, {"y (3 x 2)", "stride is 2, expected at least 3"}});
    const dense_view<const double> nowhere({4, 1}, layout::column_major, 4, nullptr);
    expect_error([&] { multiply(where, m.view(), nowhere, y); },
                 {error_kind::bad_argument, {"x (f64 dense, 4 x 1)", "null pointer"}});
    const plan prepared = multiply_inspect(where, m.view(), x, y);
    expect_error([&] { multiply(prepared, m.view(), nowhere, y); },
                 {error_kind::bad_argument, {"null pointer"}});
  }
}

TEST_F(BrokenSizes, ResultsAndMasks) {
  const auto cpu = context::openmp(2);
  const plan prepared = multiply_compute(cpu, m.view(), transposed(m.view()));
  csr_matrix<double> c(prepared.result_shape(), prepared.result_nnz());
  auto out = c.mutable_view();
  out.values = nullptr;
  expect_error([&] { multiply_fill(prepared, m.view(), transposed(m.view()), out); },
               {error_kind::bad_argument, {"the result (3 x 3)", "null pointer"}});
  pattern mask = pattern_of(c.view());
  mask.columns = {static_cast<const std::int32_t*>(nullptr), 2};
  expect_error([&] { multiply(cpu, m.view(), transposed(m.view()), {.mask = mask}); },
               {error_kind::bad_argument, {"columns of the mask"}});
}

}  // namespace
}  // namespace gossamer
