// What a sparse product holds: without a limit at most twice C and a little, under one never more.
#include <gtest/gtest.h>

#include "analysis/format_sizes.hpp"
#include "base/counting_memory.hpp"
#include "gossamer/gossamer.hpp"
#include "kernels/spgemm/accumulators/bitmap_spa.hpp"

namespace gossamer {
namespace {

class Memory : public testing::Test {
 protected:
  std::shared_ptr<counting_memory> memory = std::make_shared<counting_memory>();
  context cpu = context::openmp(2).with_memory(memory);
  context plain = context::openmp(2);

  static index_t bytes_of(const csr_matrix<double>& c) {
    return analysis::csr_bytes(c.shape(), c.nnz(), value_type::f64);
  }
  static bool same(const csr_matrix<double>& x, const csr_matrix<double>& y) {
    return x.nnz() == y.nnz() && std::ranges::equal(x.values(), y.values()) &&
           std::ranges::equal(x.column_indices().as<std::int32_t>(),
                              y.column_indices().as<std::int32_t>());
  }

  /// The second of two calls, as a program that multiplies more than once sees it.
  template <class A, class B>
  void expect_twice_c(const char* name, const A& a, const B& b) {
    for (int call = 0; call < 2; ++call) {
      memory->restart();
      const auto c = multiply(cpu, a, b);
      const index_t result = bytes_of(c);
      EXPECT_EQ(memory->held(), result) << name;
      EXPECT_LE(memory->peak(), 2 * result + (index_t{64} << 20)) << name;
      RecordProperty(std::string(name) + "_over_twice_c",
                     std::to_string(memory->peak() - 2 * result));
    }
    EXPECT_EQ(memory->held(), 0) << name;
  }
};

TEST_F(Memory, WithoutALimitTwiceTheResultAndALittle) {
  const auto square = [&](const char* name, const csr_matrix<double>& a) {
    expect_twice_c(name, a, a);
  };
  square("er_16_8", generate::erdos_renyi<double>(plain, 16, 8));
  square("rmat_13_8", generate::rmat<double>(plain, 13, 8));
  square("poisson2d_512", generate::poisson2d<double>(plain, 512, 512));
  square("poisson3d_32_27",
         generate::poisson3d<double>(plain, 32, 32, 32, generate::stencil::finite_element));
  square("power_law", generate::power_law<double>(plain, {50'000, 50'000}, 8, 2000));
  const auto wide = generate::aspect<double>(plain, 20'000, 100'000, 400'000);
  expect_twice_c("rectangular", wide, transposed(wide));
  // Next to nothing in a result of 40 million columns: a dense row for each thread would be 720 MB.
  const auto tall = generate::aspect<double>(plain, 1000, 1000, 5000);
  const auto flat = generate::aspect<double>(plain, 1000, 40'000'000, 5000);
  expect_twice_c("very_wide", tall, flat);
}

/// What docs/guide/memory-limits.md promises to be enough.
index_t promised(const csr_matrix<double>& c) {
  const index_t set =
      std::min<index_t>(32'768, (c.cols() + 63) / 64 * 8 + (c.cols() + 4095) / 4096 * 8);
  return analysis::csr_bytes(c.shape(), c.nnz(), value_type::f64) + 8 * (c.rows() + 1) + set;
}

TEST_F(Memory, AnyLimitFromThePromisedOneOnWorks) {
  const auto tall = generate::aspect<double>(plain, 3000, 1000, 9000);
  const auto flat = generate::aspect<double>(plain, 1000, 40'000'000, 9000);
  const auto skewed = generate::rmat<double>(plain, 11, 8);
  const auto mesh = generate::poisson3d<double>(plain, 12, 12, 12);
  const std::pair<const csr_matrix<double>*, const csr_matrix<double>*> all[] = {
      {&tall, &flat}, {&skewed, &skewed}, {&mesh, &mesh}};
  std::string kernels;
  for (const auto& [a, b] : all) {
    const auto wanted = multiply(plain, *a, *b);
    const index_t least = promised(wanted);
    for (const index_t more : {0, 1, 10'000, 100'000, 1'000'000, 10'000'000, 1'000'000'000}) {
      memory->restart();
      EXPECT_TRUE(same(multiply(cpu, *a, *b, {.memory_limit = least + more}), wanted));
      EXPECT_LE(memory->peak(), least + more);
      EXPECT_EQ(memory->held(), 0);
      kernels += multiply_compute(cpu, *a, *b, {.memory_limit = least + more}).kernel() + " ";
    }
  }
  EXPECT_NE(kernels.find("lean"), kernels.npos) << kernels;
  EXPECT_NE(kernels.find("adaptive"), kernels.npos) << kernels;
}

TEST_F(Memory, ARefusalNamesTheSizesAndHoldsNothing) {
  const auto a = generate::rmat<double>(plain, 11, 8);
  const auto wanted = multiply(plain, a, a);
  const index_t least = promised(wanted);
  memory->restart();
  try {
    multiply(cpu, a, a, {.memory_limit = least - 1});
    FAIL() << "a byte too few was enough";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::memory_limit);
    const std::string text = e.what();
    for (const std::string& part :
         {std::to_string(least) + " bytes", std::string("C itself has"), std::string("lean")})
      EXPECT_NE(text.find(part), text.npos) << part << " in " << text;
  }
  EXPECT_LT(memory->peak(), bytes_of(wanted)) << "more was done than counting";
  EXPECT_EQ(memory->held(), 0);
}

TEST_F(Memory, DroppedZerosTakeTheResultTwice) {
  const auto a = generate::poisson2d<double>(plain, 40, 40);
  const auto wanted = multiply(plain, a, a, {.drop_zeros = true});
  const auto full = multiply(plain, a, a);
  const index_t needed = 2 * bytes_of(full) + 8 * (full.rows() + 1);
  EXPECT_THROW(multiply(cpu, a, a, {.memory_limit = needed - 1, .drop_zeros = true}), error);
  memory->restart();
  EXPECT_TRUE(same(multiply(cpu, a, a, {.memory_limit = needed, .drop_zeros = true}), wanted));
  EXPECT_LE(memory->peak(), needed);
}

TEST_F(Memory, FewerMembersWhenTheirRowsDoNotFit) {
  const auto a = generate::erdos_renyi<double>(plain, 14, 8);
  const auto wanted = multiply(plain, a, a);
  const index_t row = bitmap_spa<std::int32_t, double>::bytes_for(16384);
  const index_t held = bytes_of(wanted) + 8 * 16385;
  for (const index_t members : {2, 1}) {
    const options how{.algorithm = "adaptive",
                      .memory_limit = held + members * row,
                      .tuning = "sorted=0"};  // short rows would need no dense one
    memory->restart();
    EXPECT_TRUE(same(multiply(cpu, a, a, how), wanted));
    EXPECT_LE(memory->peak(), how.memory_limit);
    EXPECT_GT(memory->peak(), how.memory_limit - row);
  }
  EXPECT_THROW(multiply(cpu, a, a, {.algorithm = "adaptive", .memory_limit = held + row - 1}),
               error);
}

TEST_F(Memory, EstimatedPeaksAreNotExceeded) {
  const auto a = generate::rmat<double>(plain, 12, 8);
  const auto expected = estimate(plain, a, a, {.exact = true});
  for (const auto& [algorithm, bytes] : expected.peak) {
    if (algorithm == "esc") continue;  // not a kernel of this backend
    memory->restart();
    multiply(cpu, a, a, {.algorithm = algorithm});
    // Blocks of finished rows that are not full, bins that are not: 12 MB for each of two threads.
    const bool in_blocks = algorithm == "adaptive" || algorithm == "pb";
    EXPECT_LE(memory->peak(), bytes + (in_blocks ? 24'000'000 : 0)) << algorithm;
    EXPECT_GE(memory->peak(), expected.result_bytes) << algorithm;
  }
}

}  // namespace
}  // namespace gossamer
