// Offsets past 2^31 for real: a matrix of 2^31 + 100 nonzeros that hardly needs memory.
#include <gtest/gtest.h>

#include "gossamer/gossamer.hpp"
#include "repeated.hpp"

namespace gossamer {
namespace {

constexpr index_t entries = (index_t{1} << 31) + 100;
constexpr index_t columns = 1024;

TEST(Large, OffsetsPast32Bits) {
  repeated<float> values(entries, [](index_t i) { return i % 2 == 0 ? 1.0f : -1.0f; });
  repeated<std::int32_t> indices(entries,
                                 [](index_t i) { return static_cast<std::int32_t>(i % columns); });
  if (!values.data() || !indices.data()) GTEST_SKIP() << "17 GB of address space were refused";
  // Three rows: almost everything, nothing, and the hundred nonzeros beyond 2^31.
  const std::int64_t offsets[] = {0, index_t{1} << 31, index_t{1} << 31, entries};
  const csr_view<const float> a(values.data(), offsets, indices.data(), {3, columns});
  std::vector<float> x(columns, 0.0f), y(3, -1.0f);
  x[1] = 1.0f;  // hit by the odd nonzeros 1, 1025, ...: each adds -1
  for (const char* algorithm : {"merge", "rows"}) {
    multiply(context::openmp(), a, x, y, {.algorithm = algorithm});
    EXPECT_EQ(y[0], -2097152.0f) << algorithm;  // 2^31 / 1024 nonzeros
    EXPECT_EQ(y[1], 0.0f);
    EXPECT_EQ(y[2], -1.0f);
  }
}

/// B has 2^31 + 2^22 elements and more, C ends as far behind its first element.
TEST(Large, DenseBlocksPast32Bits) {
  constexpr index_t n = 64, inner = (index_t{1} << 25) + (1 << 17), apart = index_t{3} << 29;
  repeated<float> b(inner * n, [](index_t i) { return static_cast<float>(i % 61); });
  repeated<float> c(
      2 * apart + n, [](index_t) { return 0.0f; }, 0);
  if (!b.data() || !c.data()) GTEST_SKIP() << "22 GB of address space were refused";
  const std::int32_t offsets[] = {0, 1, 1, 3};
  const std::int32_t columns[] = {5, 7, static_cast<std::int32_t>(inner - 1)};
  const float values[] = {2, 3, 1};
  const csr_view<const float> a(values, offsets, columns, {3, inner});
  const dense_view<const float> in{{inner, n}, layout::row_major, n, b.data()};
  const dense_view<float> out{{3, n}, layout::row_major, apart, c.data()};
  const auto element = [&](index_t j, index_t k) { return b.data()[j * n + k]; };
  for (const char* algorithm : {"rows", "columns"}) {
    multiply(context::openmp(), a, in, out, {.algorithm = algorithm});
    for (index_t k = 0; k < n; ++k) {
      EXPECT_EQ(out(0, k), 2 * element(5, k)) << algorithm;
      EXPECT_EQ(out(1, k), 0.0f);
      EXPECT_EQ(out(2, k), 3 * element(7, k) + element(inner - 1, k));
      out(0, k) = out(2, k) = -1;
    }
  }
}

/// One row of 2^31 + 64 columns: more than a 32-bit count of columns.
TEST(Large, ColumnsPast32Bits) {
  constexpr index_t n = (index_t{1} << 31) + 64;
  repeated<float> b(2 * n, [](index_t i) { return static_cast<float>(i % 61 + 1); });
  // The last columns are in memory of their own: nothing else writes there.
  repeated<float> c(
      n, [](index_t) { return 0.0f; }, index_t{1} << 31);
  if (!b.data() || !c.data()) GTEST_SKIP() << "26 GB of address space were refused";
  const std::int32_t offsets[] = {0, 2}, columns[] = {0, 1};
  const float values[] = {2, 1};
  const csr_view<const float> a(values, offsets, columns, {1, 2});
  const dense_view<const float> in{{2, n}, layout::row_major, n, b.data()};
  const dense_view<float> out{{1, n}, layout::row_major, n, c.data()};
  multiply(context::openmp(), a, in, out, {.algorithm = "rows"});
  for (index_t k = n - 128; k < n; ++k)
    EXPECT_EQ(out(0, k), 2 * b.data()[k] + b.data()[n + k]) << "column " << k;
}

TEST(Large, WidthsFollowTheCounts) {
  constexpr index_t limit = (index_t{1} << 31) - 1;
  EXPECT_EQ(narrowest({10, 10}, limit), (widths{index_width::i32, index_width::i32}));
  EXPECT_EQ(narrowest({10, 10}, limit + 1), (widths{index_width::i32, index_width::i64}));
  EXPECT_EQ(narrowest({limit + 1, 10}, 5), (widths{index_width::i64, index_width::i64}));
  EXPECT_THROW(require_fits({10, 10}, limit + 1, {index_width::i32, index_width::i32}), error);
  EXPECT_NO_THROW(require_fits({10, 10}, limit + 1, {index_width::i32, index_width::i64}));
  EXPECT_THROW(require_fits({10, 10}, 5, {index_width::i64, index_width::i32}), error);
}

}  // namespace
}  // namespace gossamer
