// Nonzeros one by one, single elements, and matrices as text, by hand.
#include "gossamer/elements.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "unit/refusal.hpp"

namespace gossamer {
namespace {

using numbers = std::vector<std::int32_t>;
using list = std::vector<nonzero<double>>;

index_buffer indices(const numbers& from) {
  return index_buffer(std::span<const std::int32_t>(from));
}
buffer<double> values(const std::vector<double>& from) { return {std::span<const double>(from)}; }

/// Rows: nothing; 5 at 3, 2 at 0, 1 at 3 (unsorted, a duplicate); nothing; -1.5 at 1; nothing.
csr_matrix<double> rows() {
  return {{5, 4}, indices({0, 0, 3, 3, 4, 4}), indices({3, 0, 3, 1}), values({5, 2, 1, -1.5})};
}
/// The same elements by columns.
csc_matrix<double> columns() {
  return {{5, 4}, indices({0, 1, 2, 2, 4}), indices({1, 3, 1, 1}), values({2, -1.5, 5, 1})};
}
coo_matrix<double> triplets() {
  return {{5, 4}, indices({3, 1, 1, 1}), indices({1, 3, 0, 3}), values({-1.5, 5, 2, 1})};
}
sellp_matrix<double> slices() {
  sellp_matrix<double> a({3, 4}, 2, indices({0, 1, 2}), indices({2, 0, 1}), 2);
  const auto out = a.mutable_view();  // row 2 is stored first, row 1 last
  out.columns.as<std::int32_t>()[0] = 3;
  out.values[0] = 7;
  out.columns.as<std::int32_t>()[2] = 1;
  out.values[2] = 8;
  return a;
}

template <class A>
list listed(const A& a) {
  list found;
  for (const auto [i, j, v] : nonzeros(a)) found.push_back({i, j, v});
  return found;
}

TEST(Nonzeros, InOrderOfStorage) {
  EXPECT_EQ(listed(rows()), (list{{1, 3, 5}, {1, 0, 2}, {1, 3, 1}, {3, 1, -1.5}}));
  EXPECT_EQ(listed(columns()), (list{{1, 0, 2}, {3, 1, -1.5}, {1, 3, 5}, {1, 3, 1}}));
  EXPECT_EQ(listed(triplets()), (list{{3, 1, -1.5}, {1, 3, 5}, {1, 0, 2}, {1, 3, 1}}));
  auto a = rows();
  EXPECT_EQ(listed(a.mutable_view()), listed(a));
  EXPECT_EQ(nonzeros(a).size(), 4);
  static_assert(std::forward_iterator<nonzero_range<double>::iterator>);
}

TEST(Nonzeros, NoneAtAll) {
  EXPECT_EQ(listed(csr_matrix<double>({3, 3}, 0)), list{});
  EXPECT_EQ(listed(csr_view<const double>()), list{});
  auto a = rows();
  const auto b = std::move(a);
  EXPECT_EQ(listed(a), list{});  // NOLINT: moved-from owners are empty matrices
}

TEST(Nonzeros, OwnersThatEndAreRefused) {
  const auto takes = []<class A>(A&& a) {
    return requires { nonzeros(std::forward<A>(a)).size(); };
  };
  const auto a = rows();
  EXPECT_TRUE(takes(a));
  EXPECT_TRUE(takes(a.view()));
  EXPECT_FALSE(takes(rows()));
}

TEST(ValueAt, EveryFormatByHand) {
  const auto check = [](const auto& a) {
    EXPECT_EQ(value_at(a, 1, 3), 6);
    EXPECT_EQ(value_at(a, 1, 0), 2);
    EXPECT_EQ(value_at(a, 3, 1), -1.5);
    EXPECT_EQ(value_at(a, 1, 1), 0);
    EXPECT_EQ(value_at(a, 0, 0), 0);
    EXPECT_EQ(value_at(a, 4, 3), 0);
    EXPECT_EQ(value_at(scaled(2.0, transposed(a)), 3, 1), 12);
  };
  check(rows());
  check(columns());
  check(triplets());

  const auto s = slices();
  EXPECT_EQ(value_at(s, 2, 3), 7);
  EXPECT_EQ(value_at(s, 1, 1), 8);
  EXPECT_EQ(value_at(s, 0, 3), 0);
  EXPECT_EQ(value_at(transposed(s), 3, 2), 7);

  dense_matrix<float> d(2, 3);
  d(1, 2) = 4;
  EXPECT_EQ(value_at(d, 1, 2), 4);
  EXPECT_EQ(value_at(transposed(d), 2, 1), 4);
}

TEST(ValueAt, EllAndHyb) {
  ell_matrix<double> ell({3, 4}, 1, 3, 1, index_width::i32);
  ell.mutable_view().columns.as<std::int32_t>()[2] = 1;
  ell.values()[2] = 9;
  EXPECT_EQ(value_at(ell, 2, 1), 9);
  EXPECT_EQ(value_at(ell, 1, 1), 0);
  const hyb_matrix<double> both(ell, {{3, 4}, indices({2}), indices({1}), values({0.5})});
  EXPECT_EQ(value_at(both, 2, 1), 9.5);
  EXPECT_EQ(value_at(both, 0, 0), 0);
}

TEST(ValueAt, Refusals) {
  const auto a = rows();
  const auto bad = error_kind::bad_argument;
  EXPECT_EQ(refusal(bad, [&] { value_at(a, 5, 0); }),
            "element (5, 0) was asked for, but the matrix is 5 x 4");
  refusal(bad, [&] { value_at(a, 0, 4); });
  refusal(bad, [&] { value_at(a, -1, 0); });
  refusal(bad, [&] { value_at(a, 0, -1); });
  refusal(bad, [&] { value_at(transposed(a), 4, 0); });
  auto view = a.view();
  view.where = memory::device;
  EXPECT_NE(refusal(bad, [&] { value_at(view, 0, 0); }).find("copy_to_host"), std::string::npos);
  refusal(bad, [&] { nonzeros(view); });
}

template <class A>
std::string text(const A& a) {
  std::ostringstream out;
  out << a;
  return out.str();
}

TEST(Print, SmallMatrices) {
  EXPECT_EQ(text(rows()),
            "f64 csr, 5 x 4, 4 nonzeros, i32 indices, i32 offsets\n"
            "   .    .    .    .\n"
            "   2    .    .    6\n"
            "   .    .    .    .\n"
            "   . -1.5    .    .\n"
            "   .    .    .    .");
  EXPECT_EQ(text(slices()),
            "f64 sellp, 3 x 4, 2 nonzeros, i32 indices, i32 offsets\n"
            ". . . .\n. 8 . .\n. . . 7");
  dense_matrix<float> d(1, 2);
  d(0, 1) = 0.25;
  EXPECT_EQ(text(d), "f32 dense, 1 x 2\n   0 0.25");
}

TEST(Print, LargeEmptyAndBrokenOnes) {
  EXPECT_EQ(text(csr_matrix<double>({17, 2}, 0)),
            "f64 csr, 17 x 2, 0 nonzeros, i32 indices, i32 offsets");
  EXPECT_EQ(text(csr_matrix<float>()), "f32 csr, 0 x 0, 0 nonzeros, i32 indices, i32 offsets");
  const csr_matrix<double> broken({1, 2}, indices({0, 1}), indices({7}), values({1}));
  EXPECT_NE(text(broken).find("\nbroken: "), std::string::npos) << text(broken);
}

}  // namespace
}  // namespace gossamer
