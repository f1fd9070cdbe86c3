// A sparse product is described once (which counts its multiplications) and chosen once, whether
// its kernel multiplies in one go or by a plan.
#include <gtest/gtest.h>

#include "gossamer/generate.hpp"
#include "multiply/sparse.hpp"

namespace gossamer {
namespace {

const kernel* wrapped = nullptr;
int descriptions = 0, verdicts = 0;

problem counted_describe(const context& where, operands& o, const options& how) {
  ++descriptions;
  return detail::describe_product(where, o, how);
}

verdict counted_consider(const problem& p, const machine& m) {
  ++verdicts;
  return wrapped->consider(p, m);
}

/// Multiplies with this kernel alone and says how often the product was described and judged.
void expect_one_decision(const kernel& with, const context& where, const options& how,
                         explanation* why) {
  wrapped = &with;
  kernel counting = with;
  counting.consider = counted_consider;
  const kernel* const only = &counting;
  descriptions = verdicts = 0;
  const auto a = generate::power_law<double>(where, {200, 200}, 5, 40);
  const auto c = detail::multiply_sparse_by({.describe = counted_describe, .kernels = {&only, 1}},
                                            where, express(a), express(a), how, why);
  EXPECT_GT(std::get<csr_matrix<double>>(c).nnz(), 0);
  EXPECT_EQ(descriptions, 1) << with.id;
  EXPECT_EQ(verdicts, 1) << with.id;
  if (why) {
    EXPECT_EQ(why->chosen, with.id);
  }
}

TEST(DecideOnce, EveryKernelOfSparseProducts) {
  int tried = 0;
  for (const auto* k : all_kernels()) {
    const auto path = path_of(*k);
    if (path.operation != "spgemm" || path.backend == "cuda" || !k->takes(value_type::f64))
      continue;
    const auto where = path.backend == "openmp" ? context::openmp() : context::reference();
    explanation why;
    expect_one_decision(*k, where, {}, nullptr);
    expect_one_decision(*k, where, {}, &why);
    expect_one_decision(*k, where, {.drop_zeros = true}, nullptr);
    expect_one_decision(*k, where, {.memory_limit = 1 << 30}, nullptr);
    expect_one_decision(*k, where, {.memory_limit = 1 << 30}, &why);
    ++tried;
  }
  EXPECT_GE(tried, 8);
}

}  // namespace
}  // namespace gossamer
