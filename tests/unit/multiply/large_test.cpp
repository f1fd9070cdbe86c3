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
