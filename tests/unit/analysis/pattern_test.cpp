#include <gtest/gtest.h>

#include "analysis/pattern.hpp"
#include "analysis/probe.hpp"
#include "matrices.hpp"

namespace gossamer::analysis {
namespace {

using namespace analysis_tests;

row_list rows_of(const pattern& p) {
  row_list lines(static_cast<std::size_t>(p.line_count()));
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (index_t e = p.offsets[static_cast<index_t>(i)]; e < p.offsets[static_cast<index_t>(i) + 1];
         ++e)
      lines[i].push_back(p.indices[e]);
  return lines;
}

TEST(Pattern, SwitchedLinesAreTheTranspose) {
  const row_list rows{{1, 0, 1}, {}, {2}};
  const auto a = matrix_of(rows, 4);
  const auto p = pattern_of(express(a), "A");
  const auto by_columns = switch_lines(context::reference(), p);
  EXPECT_EQ(by_columns.lines, line_kind::columns);
  EXPECT_EQ(by_columns.shape, (extents{3, 4}));
  EXPECT_EQ(rows_of(by_columns.view()), (row_list{{0}, {0, 0}, {2}, {}}));
  const auto sorted = switch_lines(context::reference(), by_columns.view());
  EXPECT_EQ(rows_of(sorted.view()), (row_list{{0, 1, 1}, {}, {2}}));
  EXPECT_EQ(to_vector(index_counts(context::reference(), p).span()),
            (std::vector<index_t>{1, 2, 1, 0}));
  EXPECT_EQ(to_vector(line_lengths(context::reference(), p).span()),
            (std::vector<index_t>{3, 0, 1}));
}

TEST(Pattern, SwitchingIsTheSameForEveryNumberOfThreads) {
  auto rows = shuffled_with_duplicates(random_rows(3000, 900, 60, 5), 6);
  rows[17].assign(20'000, 3);  // a long row that several pieces share
  for (const widths w : {widths{}, widths{index_width::i32, index_width::i64},
                         widths{index_width::i64, index_width::i64}}) {
    const auto a = matrix_of(rows, 900, w);
    const auto p = pattern_of(express(a), "A");
    for (const int threads : {1, 3, 4}) {
      const auto result = switch_lines(context::openmp(threads), p);
      ASSERT_EQ(rows_of(result.view()), transpose(rows, 900)) << threads;
      ASSERT_EQ(to_vector(index_counts(context::openmp(threads), p).span()),
                to_vector(line_lengths(context::reference(), result.view()).span()));
    }
  }
}

TEST(Pattern, TransposedAndCscAreTheSameLines) {
  const row_list rows{{0, 2}, {1}};
  const auto a = matrix_of(rows, 3);
  const auto t = pattern_of(transposed(a), "A");
  EXPECT_EQ(t.shape, (extents{3, 2}));
  EXPECT_EQ(t.lines, line_kind::columns);
  const auto c = csc_of(rows, 3);
  EXPECT_EQ(pattern_of(express(c), "A").lines, line_kind::columns);
  EXPECT_EQ(pattern_of(transposed(c), "A").lines, line_kind::rows);
  EXPECT_EQ(pattern_of(transposed(c), "A").shape, (extents{3, 2}));
}

TEST(Pattern, OtherFormatsAreNamedWithTheWayOut) {
  const coo_matrix<float> a({3, 4}, 0);
  try {
    pattern_of(express(a), "B");
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::bad_argument);
    EXPECT_STREQ(
        e.what(),
        "B (3 x 4) is in the coo format; a product is analysed from CSR or CSC: convert it "
        "first, convert<csr_matrix<float>>(B)");
  }
  EXPECT_THROW(pattern_of(express(dense_matrix<double>(2, 2)), "A"), error);
}

TEST(Pattern, DeviceMemoryAndWrongOffsetsAreRefused) {
  const std::vector<std::int32_t> offsets{0, 1};
  const std::vector<std::int32_t> columns{0};
  const std::vector<double> values{1};
  const csr_view<const double> device({1, 1}, {offsets.data(), 2}, {columns.data(), 1},
                                      values.data(), memory::device);
  EXPECT_THROW(pattern_of(express(device), "A"), error);
  const csr_view<const double> wrong({5, 1}, {offsets.data(), 2}, {columns.data(), 1},
                                     values.data());
  EXPECT_THROW(pattern_of(express(wrong), "A"), error);
}

index_view view_of(const std::vector<std::int32_t>& offsets) {
  return {offsets.data(), static_cast<index_t>(offsets.size())};
}

TEST(Probe, HandWritten) {
  const std::vector<std::int32_t> offsets{0, 2, 2, 12, 14};  // lengths 2 0 10 2
  const auto two = probe_rows(view_of(offsets), 2);          // nonzeros 0 and 7
  EXPECT_EQ(two.at_least, 10);
  EXPECT_EQ(two.at_most, 10);
  EXPECT_TRUE(two.heavy);
  const auto one = probe_rows(view_of(offsets), 1);  // entry 0 only
  EXPECT_EQ(one.at_least, 2);
  EXPECT_EQ(one.at_most, 13);
  EXPECT_FALSE(one.heavy);
}

TEST(Probe, OfNothing) {
  EXPECT_EQ(probe_rows(index_view(), 8).at_most, 0);
  EXPECT_EQ(probe_rows(view_of({0}), 8).at_most, 0);
  const auto empty = probe_rows(view_of({0, 0, 0}), 8);
  EXPECT_EQ(empty.at_least, 0);
  EXPECT_FALSE(empty.heavy);
  EXPECT_THROW(probe_rows(view_of({0, 1}), 0), error);
}

TEST(Probe, BoundsHoldAndHeavyRowsAreAlwaysFound) {
  std::mt19937_64 random(11);
  int heavy = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<std::int32_t> offsets{0};
    const auto rows = 1 + random() % 60;
    const auto hub = random() % rows, hub_length = random() % 200;
    std::int32_t longest = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto length = static_cast<std::int32_t>(i == hub ? hub_length : random() % 6);
      longest = std::max(longest, length);
      offsets.push_back(offsets.back() + length);
    }
    const int probes = 1 + static_cast<int>(random() % 40);
    const auto found = probe_rows(view_of(offsets), probes);
    EXPECT_LE(found.at_least, longest);
    EXPECT_GE(found.at_most, longest);
    const index_t nnz = offsets.back(), gap = (nnz + probes - 1) / probes;
    EXPECT_EQ(found.heavy, nnz > 0 && longest >= gap);
    if (found.heavy) {
      ++heavy;
      EXPECT_EQ(found.at_least, longest);
    }
  }
  EXPECT_GT(heavy, 200);  // both kinds were met
  EXPECT_LT(heavy, 1950);
}

}  // namespace
}  // namespace gossamer::analysis
