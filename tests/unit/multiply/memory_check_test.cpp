// Products that cannot fit are refused before they are begun; limits of dense products hold.
#include <gtest/gtest.h>

#include "base/container.hpp"
#include "base/counting_memory.hpp"
#include "expect_error.hpp"
#include "gossamer/gossamer.hpp"
#include "multiply/sparse.hpp"

namespace gossamer {
namespace {

csr_result product(const context& where, const csr_matrix<double>& a, index_t memory,
                   const options& how = {}) {
  return detail::multiply_sparse_by({.memory = memory}, where, express(a), express(a), how,
                                    nullptr);
}

index_t bytes_of(const csr_matrix<double>& c) {
  return (c.rows() + 1) * bytes(c.index_widths().offsets) +
         c.nnz() * (bytes(c.index_widths().indices) + index_t{8});
}

TEST(MemoryCheck, AResultLargerThanTheMemoryIsRefusedAtOnce) {
  const auto held = std::make_shared<counting_memory>();
  const auto cpu = context::openmp(2).with_memory(held);
  const auto a = generate::erdos_renyi<double>(cpu, 10, 8);
  const auto c = multiply(cpu, a, a);
  held->restart();
  expect_error([&] { product(cpu, a, bytes_of(c) / 2); },
               {error_kind::out_of_memory, {"1024 x 1024", "nonzeros", "memory that are here"}});
  EXPECT_LT(held->growth(), bytes_of(c) / 2) << "it was begun";
  EXPECT_EQ(std::get<csr_matrix<double>>(product(cpu, a, bytes_of(c))).nnz(), c.nnz());
}

TEST(MemoryCheck, WhatIsSmallerThanItsMultiplicationsPasses) {
  // Many multiplications, few nonzeros: the estimate decides, not the bound.
  const auto cpu = context::openmp(2);
  const auto a = generate::one_dense_column<double>(cpu, {400, 400}, 60, 400);
  const auto c = multiply(cpu, a, a);
  ASSERT_GT(count_products(cpu, a, a), 4 * c.nnz());
  EXPECT_NO_THROW(product(cpu, a, 2 * bytes_of(c)));
}

TEST(MemoryCheck, MasksAndFiltersAreNotForeclosed) {
  const auto cpu = context::openmp(2);
  const auto a = generate::erdos_renyi<double>(cpu, 10, 8);
  EXPECT_NO_THROW(product(cpu, a, bytes_of(a), {.mask = pattern_of(a)}));
  EXPECT_NO_THROW(product(cpu, a, bytes_of(a), {.keep = {.largest = 2}}));
}

TEST(MemoryCheck, TheMachineHasMemory) { EXPECT_GT(usable_memory(), index_t{1} << 24); }

TEST(DenseLimit, KernelsStayWithinItOrAreRefused) {
  const auto held = std::make_shared<counting_memory>();
  const auto cpu = context::openmp(2).with_memory(held);
  const auto a = generate::power_law<double>(cpu, {5000, 5000}, 12, 900);
  std::vector<double> x(5000, 1.0), y(5000), wanted(5000);
  multiply(context::reference(), a, x, wanted);
  int ran = 0, refused = 0;
  for (const char* algorithm : {"", "rows", "merge", "sell", "bins"})
    for (const index_t limit : {100, 10'000, 400'000, 100'000'000}) {
      held->restart();
      try {
        const plan prepared = multiply_inspect(cpu, a, x, y,
                                               {.algorithm = algorithm,
                                                .memory_limit = limit,
                                                .expected_calls = 1000,
                                                .constant_values = true});
        multiply(prepared, a, x, y);
        for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], wanted[i], 1e-9);
        ++ran;
      } catch (const error& e) {
        EXPECT_EQ(e.kind(), error_kind::memory_limit) << e.what();
        ++refused;
      }
      EXPECT_LE(held->growth(), limit) << algorithm;
    }
  EXPECT_GE(ran, 8);
  EXPECT_GE(refused, 4);
}

}  // namespace
}  // namespace gossamer
