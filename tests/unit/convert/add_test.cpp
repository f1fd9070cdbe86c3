// Sums of sparse matrices, and filters over the rows of one: numbers done by hand, and lists of
// triplets as the plain truth.
#include <gtest/gtest.h>

#include <map>

#include "gossamer/convert.hpp"
#include "triplets.hpp"

namespace gossamer::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const context cpu = context::openmp(2);

using list = std::vector<triplet>;

TEST(Add, UnionsByHand) {
  const auto a = make_csr<double>({"", {2, 4}, {{0, 3, 1}, {0, 0, 2}, {1, 1, 5}}});   // unsorted
  const auto b = make_csr<double>({"", {2, 4}, {{0, 0, -2}, {0, 1, 4}, {0, 1, 1}}});  // duplicates
  EXPECT_EQ(entries_of(add(cpu, a, b).view()),
            (list{{0, 0, 0}, {0, 1, 5}, {0, 3, 1}, {1, 1, 5}}));  // what cancels stays
  EXPECT_EQ(entries_of(add(cpu, scaled(-2.0, a), scaled(3.0, b)).view()),
            (list{{0, 0, -10}, {0, 1, 15}, {0, 3, -2}, {1, 1, -10}}));
}

TEST(Add, ScaledByZeroIsNotThere) {
  const auto a = make_csr<double>({"", {1, 3}, {{0, 0, nan}, {0, 2, inf}}});
  const auto b = make_csr<double>({"", {1, 3}, {{0, 1, 7}}});
  EXPECT_EQ(entries_of(add(cpu, scaled(0.0, a), b).view()), (list{{0, 1, 7}}));
  EXPECT_EQ(entries_of(add(cpu, b, scaled(0.0, a)).view()), (list{{0, 1, 7}}));
  EXPECT_EQ(add(cpu, scaled(0.0, a), scaled(0.0, a)).nnz(), 0);
}

TEST(Add, Errors) {
  const auto a = make_csr<double>({"", {2, 3}, {}}), b = make_csr<double>({"", {3, 2}, {}});
  try {
    add(cpu, a, b);
    FAIL() << "2 x 3 and 3 x 2 were added";
  } catch (const error& e) {
    EXPECT_EQ(e.kind(), error_kind::bad_argument);
    EXPECT_NE(std::string(e.what()).find("A is 2 x 3 and B is 3 x 2"), std::string::npos);
  }
  EXPECT_NO_THROW(add(cpu, a, transposed(b)));
  EXPECT_THROW(add(cpu, a, dense_matrix<double>(2, 3)), error);
}

class Sums : public testing::TestWithParam<matrix_case> {};
INSTANTIATE_TEST_SUITE_P(Cases, Sums, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

/// A + 2 A', or A + 2 A where that has no shape.
TEST_P(Sums, AgainstTriplets) {
  const auto& from = GetParam();
  const bool square = from.shape.rows == from.shape.cols;
  std::map<std::pair<index_t, index_t>, double> here, there, sum;
  const auto note = [](auto& list, std::pair<index_t, index_t> at, double value) {
    const auto [found, fresh] = list.try_emplace(at, value);  // 0 + -0 would be 0
    if (!fresh) found->second += value;
  };
  for (const auto& t : from.entries) {
    note(here, {t.row, t.column}, t.value);
    note(there, square ? std::pair(t.column, t.row) : std::pair(t.row, t.column), t.value);
  }
  for (const auto& [at, value] : here) sum[at] = value;
  for (const auto& [at, value] : there)
    sum[at] = here.contains(at) ? here[at] + 2 * value : 2 * value;
  list wanted;
  for (const auto& [at, value] : sum) wanted.push_back({at.first, at.second, value});
  const widths narrow{}, wide{index_width::i64, index_width::i64};
  for (const auto& [w, v] : {std::pair(narrow, narrow), std::pair(narrow, wide),
                             std::pair(wide, narrow), std::pair(wide, wide)}) {
    const auto a = make_csr<double>(from, w), b = make_csr<double>(from, v);
    const auto right = square ? scaled(2.0, transposed(b)) : scaled(2.0, b);
    EXPECT_EQ(entries_of(add(cpu, a, right).view()), wanted);
    EXPECT_EQ(entries_of(add(cpu, convert<coo_matrix<double>>(a), right).view()), wanted);
  }
}

TEST(SumThreads, TheSameBitsForAnyNumber) {
  const auto a = make_csr<double>({"", {3000, 900}, random_entries({3000, 900}, 40000, 5)});
  const auto b = make_csr<double>({"", {3000, 900}, random_entries({3000, 900}, 9000, 6)});
  const auto one = entries_of(add(context::reference(), a, scaled(0.3, b)).view());
  const auto best = entries_of(keep(context::reference(), a.view(), {.largest = 4}).view());
  for (const int threads : {2, 3, 4}) {
    EXPECT_EQ(entries_of(add(context::openmp(threads), a, scaled(0.3, b)).view()), one);
    EXPECT_EQ(entries_of(keep(context::openmp(threads), a.view(), {.largest = 4}).view()), best);
  }
}

TEST(Keep, ByHand) {
  const auto a = make_csr<float>(
      {"", {3, 6}, {{0, 5, -3}, {0, 1, 3}, {0, 2, 0}, {0, 4, 1}, {2, 0, nan}, {2, 3, inf}}});
  EXPECT_EQ(entries_of(keep(cpu, a.view(), {}).view()).size(), 6u);
  EXPECT_EQ(entries_of(keep(cpu, a.view(), {.magnitude = 2}).view()),
            (list{{0, 5, -3}, {0, 1, 3}, {2, 0, nan}, {2, 3, inf}}));  // in their order
  EXPECT_EQ(entries_of(keep(cpu, a.view(), {.largest = 1}).view()),
            (list{{0, 5, -3}, {2, 0, nan}}));
  EXPECT_EQ(entries_of(keep(cpu, a.view(), {.magnitude = 2, .largest = 3}).view()),
            (list{{0, 5, -3}, {0, 1, 3}, {2, 0, nan}, {2, 3, inf}}));
  EXPECT_THROW(keep(cpu, a.view(), {.magnitude = -1}), error);
  EXPECT_THROW(keep(cpu, a.view(), {.magnitude = nan}), error);
  EXPECT_THROW(keep(cpu, a.view(), {.largest = -2}), error);
  EXPECT_EQ(keep(cpu, csr_view<const double>{}, {.largest = 2}).nnz(), 0);
}

TEST(DropZeros, ByHand) {
  const auto a = make_csr<double>({"", {2, 3}, {{0, 2, 0}, {0, 0, nan}, {1, 1, -0.0}, {1, 2, 4}}});
  EXPECT_EQ(entries_of(drop_zeros(cpu, a.view()).view()), (list{{0, 0, nan}, {1, 2, 4}}));
  EXPECT_EQ(drop_zeros(cpu, csr_view<const double>{}).nnz(), 0);
}

}  // namespace
}  // namespace gossamer::test
