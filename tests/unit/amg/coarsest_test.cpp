// The direct solver of the coarsest level.
#include <gtest/gtest.h>

#include "amg/coarsest.hpp"
#include "problems.hpp"

namespace gossamer::amg {
namespace {

TEST(AmgCoarsest, InvertsByHand) {
  const auto a = from_triplets<double>({2, 2}, {0, 0, 1, 1}, {0, 1, 0, 1}, {4, 7, 2, 6});
  const auto found = invert<double>(a, false);
  EXPECT_EQ(found.rank, 2);
  const auto wanted =
      from_triplets<double>({2, 2}, {0, 0, 1, 1}, {0, 1, 0, 1}, {0.6, -0.7, -0.2, 0.4});
  EXPECT_TRUE(allclose(found.matrix, wanted, 1e-13, 1e-13));
}

TEST(AmgCoarsest, InvertsUnsymmetricAndIndefiniteMatrices) {
  const auto a = from_triplets<double>({3, 3}, {0, 1, 1, 2, 2}, {1, 0, 2, 2, 0}, {2, -3, 1, 5, 1});
  const auto found = invert<double>(a, false);
  EXPECT_EQ(found.rank, 3);
  EXPECT_TRUE(
      allclose(multiply(context::openmp(1), a, found.matrix), identity<double>(3), 0, 1e-13));
}

TEST(AmgCoarsest, GivesAGeneralisedInverseOfASingularMatrix) {
  // Two separate paths: rank 8 of 10.
  triplets t;
  for (index_t i = 0; i < 9; ++i)
    if (i != 4) t.connect(i, i + 1, 1.0 + static_cast<double>(i));
  const auto a = t.matrix(10);
  const auto found = invert<double>(a, true);
  EXPECT_EQ(found.rank, 8);
  const auto cpu = context::openmp(1);
  EXPECT_TRUE(allclose(multiply(cpu, multiply(cpu, a, found.matrix), a), a, 1e-11, 1e-11));
  EXPECT_TRUE(same(found.matrix, transposed(found.matrix)));
}

}  // namespace
}  // namespace gossamer::amg
