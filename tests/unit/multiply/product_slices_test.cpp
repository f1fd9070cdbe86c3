// Products in slices of rows, with a multiplication that pretends to have little memory.
#include "multiply/product_slices.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "cases/cases.hpp"
#include "gossamer/gossamer.hpp"

namespace gossamer::detail {
namespace {

constexpr widths narrow{index_width::i32, index_width::i32};

std::vector<index_t> offsets_of(const csr_matrix<double>& a) {
  std::vector<index_t> offsets;
  for (index_t i = 0; i <= a.rows(); ++i) offsets.push_back(a.row_offsets()[i]);
  return offsets;
}

/// Some rows of a matrix.
csr_matrix<double> rows_of(const csr_matrix<double>& a, range rows) {
  const index_t base = a.row_offsets()[rows.begin], nnz = a.row_offsets()[rows.end] - base;
  csr_matrix<double> some({rows.end - rows.begin, a.cols()}, nnz, narrow);
  const auto out = some.mutable_view();
  copy_shifted(std::span<const index_t>(offsets_of(a))
                   .subspan(static_cast<std::size_t>(rows.begin),
                            static_cast<std::size_t>(rows.end - rows.begin + 1)),
               -base, out.offsets.as<std::int32_t>().data());
  for (index_t p = 0; p < nnz; ++p) {
    out.columns.as<std::int32_t>()[static_cast<std::size_t>(p)] =
        static_cast<std::int32_t>(a.column_indices()[base + p]);
    out.values[p] = a.values()[static_cast<std::size_t>(base + p)];
  }
  return some;
}

void expect_equal(const csr_matrix<double>& found, const csr_matrix<double>& wanted) {
  ASSERT_EQ(found.shape(), wanted.shape());
  ASSERT_EQ(found.nnz(), wanted.nnz());
  EXPECT_EQ(found.index_widths(), wanted.index_widths());
  for (index_t i = 0; i <= wanted.rows(); ++i)
    ASSERT_EQ(found.row_offsets()[i], wanted.row_offsets()[i]) << "row " << i;
  for (index_t p = 0; p < wanted.nnz(); ++p) {
    ASSERT_EQ(found.column_indices()[p], wanted.column_indices()[p]);
    ASSERT_EQ(found.values()[static_cast<std::size_t>(p)],
              wanted.values()[static_cast<std::size_t>(p)]);
  }
}

struct attempts {
  int refused = 0;
  std::vector<range> taken;
};

/// A A in slices of at most `most` nonzeros of C.
csr_matrix<double> square_within(const csr_matrix<double>& a, index_t most, attempts& seen) {
  const auto cpu = context::reference();
  std::vector<csr_matrix<double>> slices;
  in_slices(
      offsets_of(a),
      [&](range rows) {
        auto c = multiply(cpu, rows_of(a, rows), a);
        if (c.nnz() > most) {
          ++seen.refused;
          throw fail(error_kind::memory_limit, "{} nonzeros are too many", c.nnz());
        }
        seen.taken.push_back(rows);
        return c;
      },
      [&](csr_matrix<double> c) { slices.push_back(std::move(c)); });
  return joined_rows(extents{a.rows(), a.cols()}, std::move(slices));
}

TEST(ProductSlices, JoinedTheyAreTheProduct) {
  for (const char* const name :
       {"power_law", "banded", "dense_row", "last_rows_empty", "one_by_one"}) {
    SCOPED_TRACE(name);
    const auto a = cases::as_csr<double>(cases::named(name), narrow);
    const auto wanted = multiply(context::reference(), a, a);
    index_t longest = 0;
    for (index_t i = 0; i < wanted.rows(); ++i)
      longest = std::max(longest, wanted.row_offsets()[i + 1] - wanted.row_offsets()[i]);
    for (const index_t most : {wanted.nnz(), wanted.nnz() / 2, wanted.nnz() / 7, longest}) {
      attempts seen;
      expect_equal(square_within(a, std::max(most, longest), seen), wanted);
      index_t next = 0;  // ranges follow one another
      for (const auto& rows : seen.taken) {
        EXPECT_EQ(rows.begin, next);
        next = rows.end;
      }
      EXPECT_EQ(next, a.rows());
    }
  }
}

TEST(ProductSlices, AllRowsAtOnceWhereTheyFit) {
  const auto a = cases::as_csr<double>(cases::named("power_law"), narrow);
  attempts seen;
  square_within(a, index_t{1} << 40, seen);
  EXPECT_EQ(seen.taken.size(), 1u);
  EXPECT_EQ(seen.refused, 0);
}

TEST(ProductSlices, ARowThatDoesNotFitIsAnError) {
  const auto a = cases::as_csr<double>(cases::named("power_law"), narrow);
  attempts seen;
  EXPECT_THROW(square_within(a, 1, seen), error);
}

TEST(ProductSlices, OtherErrorsAreNoReasonToTryAgain) {
  const std::vector<index_t> offsets{0, 1, 2, 3};
  int calls = 0;
  const auto failing = [&](range) -> int {
    ++calls;
    throw error(error_kind::bad_argument, "something else");
  };
  EXPECT_THROW(in_slices(offsets, failing, [](int) {}), error);
  EXPECT_EQ(calls, 1);
}

/// A heavy row in front halves the slices; they grow again behind it.
TEST(ProductSlices, SlicesGrowAgain) {
  std::vector<index_t> offsets{0};
  for (index_t i = 0; i < 4096; ++i) offsets.push_back(offsets.back() + 1);
  std::vector<range> taken;
  const auto multiply_rows = [&](range rows) {
    const bool heavy = rows.begin == 0;
    if (rows.end - rows.begin > (heavy ? 1 : 512)) throw error(error_kind::out_of_memory, "none");
    return rows;
  };
  in_slices(offsets, multiply_rows, [&](range rows) { taken.push_back(rows); });
  EXPECT_EQ(taken.front().end, 1);
  EXPECT_EQ(taken.back().end, 4096);
  index_t largest = 0;
  for (const auto& rows : taken) largest = std::max(largest, rows.end - rows.begin);
  EXPECT_GT(largest, 128);
  EXPECT_LT(taken.size(), 80u);
}

TEST(ProductSlices, OnTheHostItIsThePlainProduct) {
  const auto a = cases::as_csr<double>(cases::named("banded"), narrow);
  const auto cpu = context::openmp(1);
  expect_equal(multiply_to_host(cpu, a, a), multiply(cpu, a, a));
}

}  // namespace
}  // namespace gossamer::detail
