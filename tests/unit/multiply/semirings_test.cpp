// Products over semirings and under masks, with numbers done by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "sparse_by_hand.hpp"

namespace gossamer {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

class Semirings : public testing::TestWithParam<std::string> {
 protected:
  context where = GetParam() == "serial" ? context::reference() : context::openmp(2);
  options with(semiring over, std::optional<pattern> mask = {}) const {
    return {.algorithm = GetParam(), .semiring = over, .mask = mask};
  }
};
INSTANTIATE_TEST_SUITE_P(Algorithms, Semirings,
                         testing::Values("serial", "adaptive", "hash", "spa"));

// A road map: 0 -> 1 (2), 0 -> 2 (7), 1 -> 2 (3), 2 -> 0 (1), 3 alone.
const by_hand roads{{4, 4}, {{0, 1, 2}, {0, 2, 7}, {1, 2, 3}, {2, 0, 1}}};

TEST_P(Semirings, ShortestAndLongestOfTwoRoads) {
  const auto a = roads.matrix();
  EXPECT_EQ(entries(multiply(where, a, a, with(semiring::min_plus))),
            (triplets{{0, 0, 8}, {0, 2, 5}, {1, 0, 4}, {2, 1, 3}, {2, 2, 8}}));
  // Two ways from 0 to 3: over 1 (2 + 4) and over 2 (7 + 1).
  const by_hand two{{4, 4}, {{0, 1, 2}, {0, 2, 7}, {1, 3, 4}, {2, 3, 1}}};
  const auto b = two.matrix();
  EXPECT_EQ(entries(multiply(where, b, b, with(semiring::min_plus))), (triplets{{0, 3, 6}}));
  EXPECT_EQ(entries(multiply(where, b, b, with(semiring::max_plus))), (triplets{{0, 3, 8}}));
  EXPECT_EQ(entries(multiply(where, b, b, with(semiring::plus_times))), (triplets{{0, 3, 15}}));
}

TEST_P(Semirings, NegativeSumsAreNotMistakenForNothing) {
  const by_hand below{{1, 2}, {{0, 0, -3}, {0, 1, -5}}}, above{{2, 1}, {{0, 0, 1}, {1, 0, 2}}};
  EXPECT_EQ(entries(multiply(where, below.matrix(), above.matrix(), with(semiring::max_plus))),
            (triplets{{0, 0, -2}}));
  EXPECT_EQ(entries(multiply(where, below.matrix(), above.matrix(), with(semiring::min_plus))),
            (triplets{{0, 0, -3}}));
}

TEST_P(Semirings, InfiniteSumsStayEntries) {
  const by_hand far{{1, 1}, {{0, 0, inf}}}, near{{1, 1}, {{0, 0, 4}}}, deep{{1, 1}, {{0, 0, -inf}}};
  EXPECT_EQ(entries(multiply(where, far.matrix(), near.matrix(), with(semiring::min_plus))),
            (triplets{{0, 0, inf}}));
  EXPECT_EQ(entries(multiply(where, deep.matrix(), near.matrix(), with(semiring::max_plus))),
            (triplets{{0, 0, -inf}}));
}

TEST_P(Semirings, OnceNaNAlwaysNaN) {
  for (const double& first : {nan, 1.0, 2.0}) {
    // NaN comes first, in the middle and last.
    const double second = std::isnan(first) ? 1 : first == 1 ? nan : 3;
    const double third = std::isnan(first) || std::isnan(second) ? -9 : nan;
    const by_hand a{{1, 3}, {{0, 0, first}, {0, 1, second}, {0, 2, third}}};
    const by_hand ones{{3, 1}, {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}}};
    for (const auto over : {semiring::min_plus, semiring::max_plus, semiring::plus_times}) {
      const auto c = multiply(where, a.matrix(), ones.matrix(), with(over));
      ASSERT_EQ(c.nnz(), 1);
      EXPECT_TRUE(std::isnan(c.values()[0])) << name(over) << " starting with " << first;
    }
  }
}

TEST_P(Semirings, OrAndTellsZerosFromTheRest) {
  // The pair at (0, 0) holds an explicit zero; NaN is not zero; -1 is true.
  const by_hand a{{2, 2}, {{0, 0, 0}, {0, 1, -1}, {1, 0, nan}}};
  const by_hand b{{2, 2}, {{0, 0, 5}, {1, 1, 0.25}}};
  EXPECT_EQ(entries(multiply(where, a.matrix(), b.matrix(), with(semiring::or_and))),
            (triplets{{0, 0, 0}, {0, 1, 1}, {1, 0, 1}}));
  const by_hand many{{1, 3}, {{0, 0, 1}, {0, 1, 2}, {0, 2, 0}}};
  const by_hand column{{3, 1}, {{0, 0, 3}, {1, 0, 4}, {2, 0, 5}}};
  EXPECT_EQ(entries(multiply(where, many.matrix(), column.matrix(), with(semiring::or_and))),
            (triplets{{0, 0, 1}}));
}

TEST_P(Semirings, PlusPairCountsWhateverTheValues) {
  const by_hand a{{1, 3}, {{0, 0, nan}, {0, 1, 0}, {0, 2, inf}}};
  const by_hand b{{3, 2}, {{0, 0, 1}, {1, 0, 2}, {2, 0, 3}, {2, 1, 0}}};
  EXPECT_EQ(entries(multiply(where, a.matrix(), b.matrix(), with(semiring::plus_pair))),
            (triplets{{0, 0, 3}, {0, 1, 1}}));
}

TEST_P(Semirings, MasksAdmitAndComplementsRefuse) {
  const auto a = roads.matrix();
  // Unsorted, twice, and where the product has nothing; row 1 is empty.
  const by_hand m{{4, 4}, {{0, 3, 1}, {0, 2, 1}, {0, 2, 1}, {2, 2, 1}, {3, 3, 1}}};
  const auto mask_matrix = m.matrix();
  const auto mask = pattern_of(mask_matrix);
  EXPECT_EQ(entries(multiply(where, a, a, with(semiring::min_plus, mask))),
            (triplets{{0, 2, 5}, {2, 2, 8}}));
  EXPECT_EQ(entries(multiply(where, a, a, with(semiring::min_plus, complement(mask)))),
            (triplets{{0, 0, 8}, {1, 0, 4}, {2, 1, 3}}));
  EXPECT_EQ(entries(multiply(where, a, a, with(semiring::plus_times, mask))),
            (triplets{{0, 2, 6}, {2, 2, 7}}));
  EXPECT_EQ(
      entries(multiply(where, a, a, with(semiring::plus_times, complement(complement(mask))))),
      (triplets{{0, 2, 6}, {2, 2, 7}}));
}

TEST_P(Semirings, AnEmptyMaskAdmitsNothingAndItsComplementAll) {
  const auto a = roads.matrix();
  const csr_matrix<float> nothing({4, 4}, 0);  // the mask's value type is no matter
  EXPECT_EQ(multiply(where, a, a, with(semiring::plus_pair, pattern_of(nothing))).nnz(), 0);
  EXPECT_EQ(multiply(where, a, a, with(semiring::plus_pair, complement(pattern_of(nothing)))).nnz(),
            5);
}

TEST_P(Semirings, TheMaskGatesNaNToo) {
  const by_hand a{{1, 1}, {{0, 0, nan}}}, b{{1, 2}, {{0, 0, 1}, {0, 1, 1}}}, m{{1, 2}, {{0, 1, 0}}};
  const auto mask = m.matrix();
  const auto c =
      multiply(where, a.matrix(), b.matrix(), with(semiring::plus_times, pattern_of(mask)));
  ASSERT_EQ(c.nnz(), 1);
  EXPECT_EQ(c.column_indices()[0], 1);
}

TEST_P(Semirings, PlansKeepSemiringAndMask) {
  auto a = roads.matrix();
  auto mask =
      std::make_unique<csr_matrix<double>>(by_hand{{4, 4}, {{0, 2, 1}, {2, 2, 1}}}.matrix());
  const plan prepared = multiply_compute(where, a, a, with(semiring::min_plus, pattern_of(*mask)));
  ASSERT_EQ(prepared.result_nnz(), 2);
  mask.reset();  // a plan has a copy of its own
  csr_matrix<double> c(prepared.result_shape(), prepared.result_nnz());
  multiply_fill(prepared, a, a, c);
  EXPECT_EQ(entries(c), (triplets{{0, 2, 5}, {2, 2, 8}}));
  a.values()[0] = 1;
  multiply_fill(prepared, a, a, c);
  EXPECT_EQ(entries(c), (triplets{{0, 2, 4}, {2, 2, 8}}));
  EXPECT_THROW(multiply_fill(prepared, scaled(2.0, a), a, c), error);
}

TEST(SemiringErrors, ScalesMasksAndShapes) {
  const context cpu = context::openmp(2);
  const auto a = roads.matrix();
  const auto failing = [&](auto&& call, const char* expected) {
    try {
      call();
      ADD_FAILURE() << "no error: " << expected;
    } catch (const error& e) {
      EXPECT_EQ(e.kind(), error_kind::bad_argument);
      EXPECT_NE(std::string(e.what()).find(expected), std::string::npos) << e.what();
    }
  };
  failing([&] { multiply(cpu, scaled(2.0, a), a, {.semiring = semiring::min_plus}); },
          "A is scaled, but a product over min_plus");
  failing([&] { multiply(cpu, a, scaled(0.0, a), {.semiring = semiring::or_and}); }, "B is scaled");
  const csr_matrix<double> wide({4, 5}, 0);
  failing([&] { multiply(cpu, a, a, {.mask = pattern_of(wide)}); },
          "the mask is 4 x 5 and the result 4 x 4");
  pattern broken = pattern_of(a);
  broken.columns = {static_cast<const std::int32_t*>(broken.columns.data()), 3};
  failing([&] { multiply(cpu, a, a, {.mask = broken}); }, "end at 4, but it has 3 columns");
  broken = pattern_of(a);
  broken.offsets = {static_cast<const std::int32_t*>(broken.offsets.data()), 3};
  failing([&] { multiply(cpu, a, a, {.mask = broken}); }, "has 3 offsets, expected 5");
  broken = pattern_of(a);
  broken.where = memory::device;
  failing([&] { multiply(cpu, a, a, {.mask = broken}); }, "lives in device memory");
  std::vector<double> x(4), y(4);
  failing([&] { multiply_inspect(cpu, a, x, y, {.semiring = semiring::min_plus}); }, "a semiring");
  failing([&] { multiply(cpu, a, x, y, {.mask = pattern_of(a)}); }, "a mask");
  failing([&] { multiply_inspect(cpu, a, x, y, {.keep = {.largest = 1}}); }, "a filter");
}

TEST(SemiringErrors, KernelsThatCannotSaySo) {
  const context cpu = context::openmp(2);
  const auto a = roads.matrix();
  for (const char* algorithm : {"heap", "hashvec", "pb"}) {
    try {
      multiply(cpu, a, a, {.algorithm = algorithm, .mask = pattern_of(a)});
      ADD_FAILURE() << algorithm;
    } catch (const error& e) {
      EXPECT_EQ(e.kind(), error_kind::not_available);
      EXPECT_NE(std::string(e.what()).find("takes plus_times without a mask"), std::string::npos);
    }
  }
  const plan prepared =
      multiply_compute(cpu, a, a, {.semiring = semiring::max_plus, .mask = pattern_of(a)});
  const std::string why = prepared.explain().text();
  EXPECT_NE(why.find("over max_plus, mask of 4 entries"), std::string::npos) << why;
  EXPECT_NE(why.find("spgemm/csr/heap/openmp         no: takes plus_times"), std::string::npos)
      << why;
}

TEST(SemiringErrors, NamesAreTheirWords) {
  EXPECT_EQ(name(semiring::plus_times), "plus_times");
  EXPECT_EQ(name(semiring::min_plus), "min_plus");
  EXPECT_EQ(name(semiring::max_plus), "max_plus");
  EXPECT_EQ(name(semiring::or_and), "or_and");
  EXPECT_EQ(name(semiring::plus_pair), "plus_pair");
}

}  // namespace
}  // namespace gossamer
