// transpose, sort_columns, sum_duplicates, drop_zeros, symmetrise: hand numbers, then plain
// triplets.
#include <gtest/gtest.h>

#include <cmath>

#include "gossamer/convert.hpp"
#include "triplets.hpp"

namespace gossamer::test {
namespace {

using triplets = std::vector<triplet>;
const auto cpu = context::openmp(3);

const matrix_case messy{
    "", {3, 5}, {{0, 4, 1}, {0, 1, 2}, {0, 4, 3}, {2, 3, 4}, {2, 0, 5}, {2, 3, 6}, {2, 3, 7}}};

/// Row, then column, equal ones in their order.
triplets in_order(triplets entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const triplet& a, const triplet& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  return entries;
}

triplets turned(triplets entries) {
  for (auto& t : entries) std::swap(t.row, t.column);
  return in_order(entries);
}

/// Duplicates added up in order; zeros stay.
triplets added(const triplets& entries) {
  triplets result;
  for (const auto& t : in_order(entries)) {
    if (!result.empty() && result.back().row == t.row && result.back().column == t.column)
      result.back().value += t.value;
    else
      result.push_back(t);
  }
  return result;
}

TEST(Transpose, ByHand) {
  const auto a = transpose(cpu, make_csr<double>(messy).view());
  EXPECT_EQ(a.shape(), (extents{5, 3}));
  EXPECT_EQ(numbers(a.row_offsets()), (std::vector<index_t>{0, 1, 2, 2, 5, 7}));
  EXPECT_EQ(
      entries_of(a.view()),
      (triplets{{0, 2, 5}, {1, 0, 2}, {3, 2, 4}, {3, 2, 6}, {3, 2, 7}, {4, 0, 1}, {4, 0, 3}}));
}

TEST(SortColumns, EqualColumnsKeepTheirOrder) {
  EXPECT_EQ(
      entries_of(sort_columns(cpu, make_csr<float>(messy).view()).view()),
      (triplets{{0, 1, 2}, {0, 4, 1}, {0, 4, 3}, {2, 0, 5}, {2, 3, 4}, {2, 3, 6}, {2, 3, 7}}));
}

TEST(SumDuplicates, ByHand) {
  EXPECT_EQ(entries_of(sum_duplicates(cpu, make_csr<double>(messy).view()).view()),
            (triplets{{0, 1, 2}, {0, 4, 4}, {2, 0, 5}, {2, 3, 17}}));
}

TEST(SumDuplicates, CancelledAndZeroEntriesStay) {
  const matrix_case cancels{"", {1, 3}, {{0, 2, 1}, {0, 0, 0}, {0, 2, -1}}};
  EXPECT_EQ(entries_of(sum_duplicates(cpu, make_csr<double>(cancels).view()).view()),
            (triplets{{0, 0, 0}, {0, 2, 0}}));
}

TEST(SumDuplicates, AddsInOrder) {
  // 2^53 + 1 + 1 is 2^53 when added from the left, 2^53 + 2 otherwise.
  const double big = 9007199254740992.0;
  const matrix_case order{"", {1, 2}, {{0, 1, big}, {0, 0, 7}, {0, 1, 1}, {0, 1, 1}}};
  EXPECT_EQ(entries_of(sum_duplicates(cpu, make_csr<double>(order).view()).view()),
            (triplets{{0, 0, 7}, {0, 1, big}}));
}

TEST(DropZeros, LeavesEverythingElseInItsOrder) {
  const double nan = std::nan("");
  const matrix_case zeros{"", {3, 4}, {{0, 3, 0}, {0, 1, 2}, {1, 0, -0.0}, {2, 2, nan}, {2, 0, 5}}};
  const auto kept = drop_zeros(cpu, make_csr<double>(zeros).view());
  EXPECT_EQ(numbers(kept.row_offsets()), (std::vector<index_t>{0, 1, 1, 3}));
  EXPECT_EQ(numbers(kept.column_indices()), (std::vector<index_t>{1, 2, 0}));
  EXPECT_TRUE(std::isnan(kept.values()[1]));
}

TEST(Symmetrise, ByHand) {
  const matrix_case a{"", {3, 3}, {{0, 0, 4}, {0, 2, 6}, {0, 1, 1}, {1, 0, 3}, {2, 1, 8}}};
  EXPECT_EQ(
      entries_of(symmetrise(cpu, make_csr<double>(a).view()).view()),
      (triplets{{0, 0, 4}, {0, 1, 2}, {0, 2, 3}, {1, 0, 2}, {1, 2, 4}, {2, 0, 3}, {2, 1, 4}}));
}

TEST(Symmetrise, LargeValuesDoNotOverflowAndSymmetricOnesStay) {
  const double big = std::numeric_limits<double>::max();
  const double small = std::numeric_limits<double>::denorm_min();
  const matrix_case a{"", {2, 2}, {{0, 0, small}, {0, 1, big}, {1, 0, big}}};
  EXPECT_EQ(entries_of(symmetrise(cpu, make_csr<double>(a).view()).view()), a.entries);
}

TEST(Symmetrise, OnlySquare) {
  try {
    symmetrise(cpu, make_csr<double>(messy).view());
    FAIL() << "3 x 5 was made symmetric";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::bad_argument);
    EXPECT_NE(std::string(e.what()).find("3 x 5"), std::string::npos);
  }
}

class Reorder : public testing::TestWithParam<matrix_case> {};

template <class T>
void check_all(const matrix_case& from, widths w) {
  const auto a = make_csr<T>(from, w);
  EXPECT_EQ(entries_of(transpose(cpu, a.view()).view()), turned(from.entries));
  EXPECT_EQ(entries_of(sort_columns(cpu, a.view()).view()), in_order(from.entries));
  const auto unique = added(from.entries);
  EXPECT_EQ(entries_of(sum_duplicates(cpu, a.view()).view()), unique);
  EXPECT_EQ(entries_of(a.view()), from.entries) << "the operand was modified";
  if (from.shape.rows != from.shape.cols) return;
  auto both = unique;
  for (const auto& t : turned(unique)) both.push_back(t);
  auto halves = added(both);
  for (auto& t : halves) t.value /= 2;
  EXPECT_EQ(entries_of(symmetrise(cpu, a.view()).view()), halves);
}

TEST_P(Reorder, AgainstTriplets) {
  for (const auto w :
       {widths{index_width::i32, index_width::i32}, widths{index_width::i32, index_width::i64},
        widths{index_width::i64, index_width::i64}}) {
    check_all<double>(GetParam(), w);
    check_all<float>(GetParam(), w);
  }
}

std::vector<matrix_case> cases() {
  auto all = all_cases();
  all.push_back({"square", {300, 300}, random_entries({300, 300}, 30000, 9)});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Cases, Reorder, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(ReorderThreads, TheSameBitsForAnyNumber) {
  const auto a = make_csr<double>({"", {2000, 2000}, random_entries({2000, 2000}, 60000, 13)});
  const auto serial = context::reference();
  const auto one = entries_of(sum_duplicates(serial, a.view()).view());
  const auto two = entries_of(symmetrise(serial, a.view()).view());
  for (const int threads : {2, 3, 8}) {
    const auto team = context::openmp(threads);
    EXPECT_EQ(entries_of(sum_duplicates(team, a.view()).view()), one);
    EXPECT_EQ(entries_of(symmetrise(team, a.view()).view()), two);
    EXPECT_EQ(entries_of(transpose(team, transpose(team, a.view()).view()).view()),
              entries_of(sort_columns(team, a.view()).view()));
  }
}

TEST(ReorderEmpty, AViewOfNothing) {
  EXPECT_EQ(symmetrise(cpu, csr_view<const double>{}).nnz(), 0);
  EXPECT_EQ(transpose(cpu, csr_view<const float>{}).nnz(), 0);
}

}  // namespace
}  // namespace gossamer::test
