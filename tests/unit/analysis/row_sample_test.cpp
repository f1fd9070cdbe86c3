// What a look at a few rows finds, with numbers done by hand.
#include "analysis/row_sample.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace gossamer {
namespace {

/// CSR with the given row lengths, every nonzero in column 0.
struct sampled_matrix {
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<double> values;

  explicit sampled_matrix(const std::vector<int>& lengths, double value = 1) {
    for (const int n : lengths) offsets.push_back(offsets.back() + n);
    columns.assign(static_cast<std::size_t>(offsets.back()), 0);
    values.assign(columns.size(), value);
  }
  csr_view<const double> view() const {
    return {values.data(), offsets.data(), columns.data(), {std::ssize(offsets) - 1, 16}};
  }
};

TEST(RowSample, TheLongestRowIsProbedOnTheHost) {
  const auto seen =
      analysis::sample_rows(context::reference(), sampled_matrix({1, 5, 2}).view(), {});
  EXPECT_EQ(seen.probed_length, 5);
  EXPECT_EQ(seen.longest_on_device, 0);
  EXPECT_EQ(seen.at_least(), 5);
  EXPECT_EQ(seen.lengths.rows, 0);  // not asked for
  EXPECT_EQ(seen.x_lines, 0);
}

TEST(RowSample, LengthsOfNeighbours) {
  const sampled_matrix alike({3, 3, 3, 3}), unlike({1, 9, 2, 10, 4});
  const auto of = [](const sampled_matrix& m) {
    return analysis::sample_lengths(m.view().offsets, 8);
  };
  const auto same = of(alike);
  EXPECT_EQ(same.rows, 2);  // each is compared with the two before it
  EXPECT_EQ(same.alike, 2);
  EXPECT_EQ(same.predicted, 1);  // nothing was known about the first
  EXPECT_EQ(same.short_rows, 2);
  const auto other = of(unlike);
  EXPECT_EQ(other.rows, 3);
  EXPECT_EQ(other.alike, 0);
  EXPECT_EQ(other.predicted, 0);
  EXPECT_EQ(other.short_rows, 2);  // 2 and 4, not 10
}

TEST(RowSample, LengthsNearTheEndOf32Bits) {
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t length : {100'000'000, most}) {
    const std::int32_t offsets[] = {0, 0, length, length, length, length};
    const auto seen = analysis::sample_lengths({offsets, 6}, 8);
    EXPECT_EQ(seen.rows, 3);
    EXPECT_EQ(seen.short_rows, 3) << "the long row is the second, which only precedes others";
    const std::int32_t later[] = {0, 0, 0, length, length, length};
    EXPECT_EQ(analysis::sample_lengths({later, 6}, 8).short_rows, 2);
  }
}

TEST(RowSample, LongRowsAreNotSampled) {
  const auto lengths = [](int n) {
    return analysis::sample_rows(context::reference(), sampled_matrix({n, n, n, n}).view(),
                                 {.lengths = true})
        .lengths;
  };
  EXPECT_EQ(lengths(analysis::long_mean).rows, 0);
  EXPECT_EQ(lengths(analysis::long_mean - 1).rows, 2);
}

TEST(RowSample, ColumnsAndValues) {
  const auto sample = [](int rows, double value) {
    const sampled_matrix m(std::vector<int>(static_cast<std::size_t>(rows), 4), value);
    return analysis::sample_rows(context::reference(), m.view(), {.columns = true});
  };
  const auto seen = sample(analysis::least_sampled / 4, 0.5);
  EXPECT_EQ(seen.x_lines, 1.0 / 4096);  // one line of x for each run of 4096 nonzeros
  EXPECT_EQ(seen.alike_rows, 1);
  EXPECT_TRUE(seen.float_values);
  EXPECT_FALSE(sample(analysis::least_sampled / 4, 0.1).float_values);
  EXPECT_EQ(sample(analysis::least_sampled / 4 - 1, 0.5).x_lines, 0);  // too small to be worth it
}

}  // namespace
}  // namespace gossamer
