// What is stored of a product: thresholds, the largest of each row, zeros dropped, sums with
// another matrix. Numbers done by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "sparse_by_hand.hpp"

namespace gossamer {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

/// Every algorithm: those that filter rows before they store them, and those that do it afterwards.
class Filters : public testing::TestWithParam<std::string> {
 protected:
  context where = GetParam() == "serial" ? context::reference() : context::openmp(2);
  options with(filter keep) const { return {.algorithm = GetParam(), .keep = keep}; }

  /// Three rows times the identity: the products are the nonzeros themselves.
  by_hand rows{{3, 6},
               {{0, 0, 3}, {0, 1, -4}, {0, 2, 0.5}, {0, 4, 4}, {0, 5, -3}, {2, 1, 0}, {2, 3, 1}}};
  by_hand identity{{6, 6}, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {4, 4, 1}, {5, 5, 1}}};
  csr_matrix<double> a = rows.matrix(), one = identity.matrix();
};
INSTANTIATE_TEST_SUITE_P(Algorithms, Filters,
                         testing::Values("serial", "adaptive", "hash", "spa", "heap", "hashvec",
                                         "pb"));

TEST_P(Filters, Thresholds) {
  EXPECT_EQ(entries(multiply(where, a, one, with({.magnitude = 3}))),
            (triplets{{0, 0, 3}, {0, 1, -4}, {0, 4, 4}, {0, 5, -3}}));  // what is equal stays
  EXPECT_EQ(entries(multiply(where, a, one, with({.magnitude = 3.5}))),
            (triplets{{0, 1, -4}, {0, 4, 4}}));
  EXPECT_EQ(multiply(where, a, one, with({.magnitude = 0})).nnz(), 7);  // zeros stay
  EXPECT_EQ(multiply(where, a, one, with({.magnitude = inf})).nnz(), 0);
}

TEST_P(Filters, TheScaleCounts) {
  EXPECT_EQ(entries(multiply(where, scaled(-2.0, a), one, with({.magnitude = 7}))),
            (triplets{{0, 1, 8}, {0, 4, -8}}));
}

TEST_P(Filters, TheLargestOfEachRow) {
  EXPECT_EQ(entries(multiply(where, a, one, with({.largest = 2}))),
            (triplets{{0, 1, -4}, {0, 4, 4}, {2, 1, 0}, {2, 3, 1}}));
  // Ties: of -4 and 4 the smaller column, of 3 and -3 too.
  EXPECT_EQ(entries(multiply(where, a, one, with({.largest = 1}))),
            (triplets{{0, 1, -4}, {2, 3, 1}}));
  EXPECT_EQ(entries(multiply(where, a, one, with({.largest = 3}))),
            (triplets{{0, 0, 3}, {0, 1, -4}, {0, 4, 4}, {2, 1, 0}, {2, 3, 1}}));
  EXPECT_EQ(multiply(where, a, one, with({.largest = 100})).nnz(), 7);  // more than there are
  EXPECT_EQ(entries(multiply(where, a, one, with({.magnitude = 3.5, .largest = 1}))),
            (triplets{{0, 1, -4}}));
}

TEST_P(Filters, NaNIsGreatestAndStays) {
  const by_hand wild{{1, 6}, {{0, 0, inf}, {0, 1, 1}, {0, 2, nan}, {0, 3, -inf}, {0, 4, nan}}};
  const auto b = wild.matrix();
  const auto kept = multiply(where, b, one, with({.magnitude = 2}));
  ASSERT_EQ(kept.nnz(), 4);
  EXPECT_TRUE(std::isnan(kept.values()[1]));
  const auto columns = [&](index_t largest) {
    std::vector<index_t> found;
    for (const auto& e : entries(multiply(where, b, one, with({.largest = largest}))))
      found.push_back(e.column);
    return found;
  };
  EXPECT_EQ(columns(1), (std::vector<index_t>{2}));
  EXPECT_EQ(columns(2), (std::vector<index_t>{2, 4}));
  EXPECT_EQ(columns(3), (std::vector<index_t>{0, 2, 4}));
  EXPECT_EQ(columns(4), (std::vector<index_t>{0, 2, 3, 4}));
}

TEST_P(Filters, ZerosGoFirst) {
  options how = with({.largest = 1});
  how.drop_zeros = true;
  EXPECT_EQ(entries(multiply(where, a, one, how)), (triplets{{0, 1, -4}, {2, 3, 1}}));
  how.keep = {};
  EXPECT_EQ(multiply(where, a, one, how).nnz(), 6);
  EXPECT_EQ(multiply(where, scaled(0.0, a), one, how).nnz(), 0);
  how.drop_zeros = false;
  EXPECT_EQ(multiply(where, scaled(0.0, a), one, how).nnz(), 7);
  how.keep.largest = 2;  // 0 for all: the smaller columns stay
  EXPECT_EQ(entries(multiply(where, scaled(0.0, a), one, how)),
            (triplets{{0, 0, 0}, {0, 1, 0}, {2, 1, 0}, {2, 3, 0}}));
}

TEST_P(Filters, UnderAMemoryLimit) {
  options how = with({.magnitude = 3.5});
  how.memory_limit = 100'000'000;
  EXPECT_EQ(entries(multiply(where, a, one, how)), (triplets{{0, 1, -4}, {0, 4, 4}}));
}

TEST_P(Filters, ImpossibleOnesAreRefused) {
  EXPECT_THROW(multiply(where, a, one, with({.magnitude = -1})), error);
  EXPECT_THROW(multiply(where, a, one, with({.magnitude = nan})), error);
  EXPECT_THROW(multiply(where, a, one, with({.largest = -1})), error);
  EXPECT_THROW(multiply_compute(where, a, one, with({.largest = 1})), error);
  EXPECT_THROW(multiply_compute(where, a, one, with({.magnitude = 1})), error);
  EXPECT_NO_THROW(multiply_compute(where, a, one, with({})));
}

// ---- alpha A B + Z --------------------------------------------------------------------------

TEST_P(Filters, SumsWithAnotherMatrix) {
  const by_hand other{{3, 6}, {{0, 0, -3}, {1, 5, 2}, {2, 3, 4}}};
  const auto z = other.matrix();
  const options how = with({});
  EXPECT_EQ(entries(multiply(where, a, one, z, how)), (triplets{{0, 0, 0},
                                                                {0, 1, -4},
                                                                {0, 2, 0.5},
                                                                {0, 4, 4},
                                                                {0, 5, -3},
                                                                {1, 5, 2},
                                                                {2, 1, 0},
                                                                {2, 3, 5}}));
  EXPECT_EQ(entries(multiply(where, scaled(2.0, a), one, scaled(0.5, z), with({.magnitude = 4}))),
            (triplets{{0, 0, 4.5}, {0, 1, -8}, {0, 4, 8}, {0, 5, -6}, {2, 3, 4}}));
  options zeros = how;
  zeros.drop_zeros = true;  // of the sum
  EXPECT_EQ(multiply(where, a, one, z, zeros).nnz(), 6);
}

TEST_P(Filters, AnAddendScaledByZeroIsNotThere) {
  const by_hand other{{3, 6}, {{0, 3, nan}, {1, 5, inf}}};
  const auto z = other.matrix();
  EXPECT_EQ(entries(multiply(where, a, one, scaled(0.0, z), with({}))), entries(a));
}

TEST(Addends, MasksAdmitTheProductAndTheAddendIsWhole) {
  const context cpu = context::openmp(2);
  const by_hand left{{2, 2}, {{0, 0, 1}, {0, 1, 2}, {1, 0, 3}}},
      other{{2, 2}, {{0, 1, 5}, {1, 1, 7}}};
  const by_hand unit{{2, 2}, {{0, 0, 1}, {1, 1, 1}}}, diagonal{{2, 2}, {{0, 0, 1}, {1, 1, 1}}};
  const auto mask = diagonal.matrix();
  EXPECT_EQ(entries(multiply(cpu, left.matrix(), unit.matrix(), other.matrix(),
                             {.mask = pattern_of(mask)})),
            (triplets{{0, 0, 1}, {0, 1, 5}, {1, 1, 7}}));
}

TEST(Addends, AnyFormatAndTransposed) {
  const context cpu = context::openmp(2);
  const by_hand left{{2, 2}, {{0, 0, 1}, {0, 1, 2}}},
      other{{2, 2}, {{1, 1, 1}, {1, 0, 5}, {1, 0, 1}}};
  const auto a = left.matrix(), z = other.matrix();  // z: unsorted, a duplicate
  const triplets wanted{{0, 0, 1}, {0, 1, 2 + 2 * 6}, {1, 1, 2}};
  const by_hand unit{{2, 2}, {{0, 0, 1}, {1, 1, 1}}};
  const auto one = unit.matrix();
  EXPECT_EQ(entries(multiply(cpu, a, one, scaled(2.0, transposed(z)))), wanted);
  EXPECT_EQ(entries(multiply(cpu, a, one, scaled(2.0, transposed(convert<coo_matrix<double>>(z))))),
            wanted);
  EXPECT_EQ(entries(multiply(cpu, a, one, scaled(2.0, transposed(convert<ell_matrix<double>>(z))))),
            wanted);
}

TEST(Addends, ErrorsNameWhatIsWrong) {
  const context cpu = context::openmp(2);
  const by_hand left{{2, 2}, {{0, 0, 1}}};
  const auto a = left.matrix();
  const auto failing = [&](auto&& call, error_kind kind, const char* expected) {
    try {
      call();
      ADD_FAILURE() << "no error: " << expected;
    } catch (const error& e) {
      EXPECT_EQ(e.kind(), kind);
      EXPECT_NE(std::string(e.what()).find(expected), std::string::npos) << e.what();
    }
  };
  failing([&] { multiply(cpu, a, a, a, {.semiring = semiring::min_plus}); },
          error_kind::bad_argument, "over min_plus takes nothing to add");
  failing(
      [&] {
        multiply(cpu, a, a, csr_matrix<double>({3, 2}, 0));
      },
      error_kind::bad_argument,
      "the addend (f64 csr, 3 x 2, 0 entries) is added to a sparse result of 2 x 2");
  failing([&] { multiply(cpu, a, a, left.matrix<float>()); }, error_kind::bad_argument,
          "the addend holds f32");
  const dense_matrix<double> dense(2, 2);
  failing([&] { multiply(cpu, a, a, scaled(1.0, dense)); }, error_kind::bad_argument,
          "must be sparse");
  const auto big = generate::poisson2d<double>(cpu, 60, 60);
  const auto square = multiply(cpu, big, big);
  failing(
      [&] {
        multiply(cpu, csr_matrix<double>(big.shape(), 0), big, square, {.memory_limit = 400'000});
      },
      error_kind::memory_limit, "raise the limit");
}

}  // namespace
}  // namespace gossamer
