// Sparse products with more than 2^31 nonzeros and products, for real. A column of ones times a row
// of 65,536 values has that row in every row of C, so the arrays of C may be one small piece mapped
// again and again. Counting and filling them takes some seconds; GOSSAMER_LARGE=1 in the
// environment takes every kernel instead of the one that is chosen.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "gossamer/gossamer.hpp"
#include "repeated.hpp"

namespace gossamer {
namespace {

constexpr index_t columns = 65'536, rows = 32'769;       // 64 rows of C fill a tile exactly
constexpr index_t entries = rows * columns;              // 2^31 + 65,536
constexpr index_t enough = entries * 8 + 1'000'000'000;  // C, and a gigabyte to work in

class LargeSparse : public testing::Test {
 protected:
  context cpu = context::openmp(2);
  csr_matrix<float> a = csr_matrix<float>({rows, 1}, rows);
  csr_matrix<float> b = csr_matrix<float>({1, columns}, columns);

  void SetUp() override {
    const auto left = a.mutable_view(), right = b.mutable_view();
    for (index_t i = 0; i <= rows; ++i)
      left.offsets.as<std::int32_t>()[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i);
    std::fill_n(left.columns.as<std::int32_t>().data(), rows, 0);
    std::fill_n(left.values, rows, 1.0f);
    right.offsets.as<std::int32_t>()[0] = 0;
    right.offsets.as<std::int32_t>()[1] = static_cast<std::int32_t>(columns);
    for (index_t j = 0; j < columns; ++j) {
      right.columns.as<std::int32_t>()[static_cast<std::size_t>(j)] = static_cast<std::int32_t>(j);
      right.values[j] = static_cast<float>(j % 97);
    }
  }
};

TEST_F(LargeSparse, PlansAndFillsPast32Bits) {
  std::vector<std::string> algorithms{""};
  if (std::getenv("GOSSAMER_LARGE"))
    algorithms = {"adaptive", "hash", "hashvec", "spa", "heap", "lean", "pb"};
  for (const auto& algorithm : algorithms) {
    // The last row lies past 2^31, in memory of its own.
    constexpr index_t own = entries - columns;
    repeated<float> values(
        entries, [](index_t) { return -1.0f; }, own);
    repeated<std::int32_t> indices(
        entries, [](index_t) { return std::int32_t{-1}; }, own);
    if (!values.data() || !indices.data()) GTEST_SKIP() << "17 GB of address space were refused";
    // A limit makes the plan keep nothing but offsets, and pb work in slices.
    const auto prepared =
        multiply_compute(cpu, a, b, {.algorithm = algorithm, .memory_limit = enough});
    ASSERT_EQ(prepared.result_nnz(), entries);
    std::vector<std::int64_t> offsets(rows + 1, -1);
    const csr_view<float> c({rows, columns}, {offsets.data(), rows + 1}, {indices.data(), entries},
                            values.data());
    multiply_fill(prepared, a, b, c);
    if (algorithms.size() > 1)
      std::printf("%s filled\n", prepared.kernel().c_str()), std::fflush(stdout);
    std::vector<std::int32_t> narrow(rows + 1);
    const csr_view<float> too_narrow({rows, columns}, {narrow.data(), rows + 1}, c.columns,
                                     values.data());
    EXPECT_THROW(multiply_fill(prepared, a, b, too_narrow), error);
    for (index_t i = 0; i <= rows; ++i)
      ASSERT_EQ(offsets[static_cast<std::size_t>(i)], i * columns) << prepared.kernel();
    for (index_t row : {index_t{0}, index_t{63}, rows / 2, rows - 1})
      for (index_t j = 0; j < columns; ++j) {
        ASSERT_EQ(indices.data()[row * columns + j], j) << prepared.kernel() << " row " << row;
        ASSERT_EQ(values.data()[row * columns + j], static_cast<float>(j % 97))
            << prepared.kernel();
      }
  }
}

TEST_F(LargeSparse, ALimitIsRefusedWithTheTrueSizes) {
  try {
    multiply(cpu, a, b, {.memory_limit = 1'000'000'000});
    FAIL() << "17 GB fitted into 1 GB";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::memory_limit);
    const std::string text = e.what();
    // 8 bytes an entry, 8 an offset of C, 8 a count of a row; and a heap for rows of one entry.
    const index_t least = entries * 8 + 2 * (rows + 1) * 8 + 32;
    for (const std::string& part : {std::string("2,147,549,184 entries"), std::string("17.2 GB"),
                                    std::to_string(least) + " bytes"})
      EXPECT_NE(text.find(part), text.npos) << part << " in " << text;
  }
}

}  // namespace
}  // namespace gossamer
