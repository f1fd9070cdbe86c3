// Entries that cancel: who may leave them out, and what else is still seen.
#include <gtest/gtest.h>

#include "bench/race/yardstick.hpp"

namespace gossamer::bench {
namespace {

csr_matrix<double> matrix(extents shape, std::vector<std::int32_t> offsets,
                          std::vector<std::int32_t> columns, std::vector<double> values) {
  return {shape, index_buffer(std::span<const std::int32_t>(offsets)),
          index_buffer(std::span<const std::int32_t>(columns)),
          buffer<double>(std::span<const double>(values))};
}

// [1 -1] [1 2; 1 0] = [0 2]: the first entry cancels.
factors<double> cancelling() {
  factors<double> of;
  of.product = operation::spgemm;
  of.a = matrix({1, 2}, {0, 2}, {0, 1}, {1, -1});
  of.b = matrix({2, 2}, {0, 2, 3}, {0, 1, 0}, {1, 2, 1});
  return of;
}

TEST(leniency, a_cancelled_entry_may_be_missing_only_when_that_is_known) {
  const auto of = cancelling();
  const yardstick<double> judge(of);
  const auto without = matrix({1, 2}, {0, 1}, {1}, {2});
  EXPECT_FALSE(judge.judge<double>(without.view()).right);
  EXPECT_TRUE(judge.judge<double>(without.view(), {.missing_zeros = true}).right);
  const auto with = matrix({1, 2}, {0, 2}, {0, 1}, {0, 2});
  EXPECT_TRUE(judge.judge<double>(with.view()).right);
  EXPECT_TRUE(judge.judge<double>(with.view(), {.missing_zeros = true}).right);
}

TEST(leniency, an_entry_that_counts_may_not) {
  const auto of = cancelling();
  const yardstick<double> judge(of);
  const auto lost = matrix({1, 2}, {0, 1}, {0}, {0});
  EXPECT_FALSE(judge.judge<double>(lost.view(), {.missing_zeros = true}).right);
  const auto nothing = matrix({1, 2}, {0, 0}, {}, {});
  EXPECT_FALSE(judge.judge<double>(nothing.view(), {.missing_zeros = true}).right);
}

}  // namespace
}  // namespace gossamer::bench
