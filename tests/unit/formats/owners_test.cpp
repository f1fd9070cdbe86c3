// Owners and views: what they start as, what they refuse, and that views borrow without a copy.
#include <gtest/gtest.h>

#include <vector>

#include "gossamer/operand.hpp"
#include "gossamer/validate.hpp"
#include "unit/refusal.hpp"

namespace gossamer {
namespace {

constexpr auto i32 = index_width::i32;
constexpr auto i64 = index_width::i64;
constexpr index_t past_32_bit = index_t{1} << 31;

TEST(Widths, TheNarrowestSafePair) {
  EXPECT_EQ(narrowest({3, 4}, 5), (widths{i32, i32}));
  EXPECT_EQ(narrowest({3, 4}, past_32_bit - 1), (widths{i32, i32}));
  EXPECT_EQ(narrowest({3, 4}, past_32_bit), (widths{i32, i64}));
  EXPECT_EQ(narrowest({3, past_32_bit}, 5), (widths{i64, i64}));
  EXPECT_EQ(narrowest({past_32_bit, 3}, 5), (widths{i64, i64}));
}

TEST(Widths, OverflowIsRefusedWithItsNumbers) {
  const auto text = refusal(error_kind::overflow, [] {
    require_fits({3, 4}, past_32_bit, {i32, i32});
  });
  EXPECT_NE(text.find("3 x 4"), std::string::npos);
  EXPECT_NE(text.find("2,147,483,648"), std::string::npos);
  refusal(error_kind::overflow, [] { require_fits({past_32_bit, 4}, 1, {i32, i64}); });
  refusal(error_kind::bad_argument, [] { require_fits({3, 4}, 1, {i64, i32}); });
  EXPECT_NO_THROW(require_fits({3, 4}, past_32_bit, {i32, i64}));
  EXPECT_NO_THROW(require_fits({past_32_bit, 4}, 1, {i64, i64}));
}

TEST(Owners, ImpossibleShapesAreRefused) {
  refusal(error_kind::bad_argument, [] { csr_matrix<double>({-1, 3}, 0); });
  refusal(error_kind::bad_argument, [] { csc_matrix<double>({1, -3}, 0); });
  refusal(error_kind::bad_argument, [] { coo_matrix<double>({1, 3}, -2); });
  refusal(error_kind::bad_argument, [] { csr_matrix<double>({1, 3}, -2); });
  refusal(error_kind::bad_argument, [] { dense_matrix<double>(-1, 2); });
  const index_t most = std::numeric_limits<index_t>::max();
  refusal(error_kind::overflow, [&] { csr_matrix<double>({most, 3}, 0); });
  refusal(error_kind::overflow, [&] { dense_matrix<double>(most / 2, 3); });
}

TEST(Owners, StartEmptyAndValid) {
  EXPECT_TRUE(inspect_structure(csr_matrix<double>()).valid);
  EXPECT_TRUE(inspect_structure(csc_matrix<float>()).valid);
  EXPECT_TRUE(inspect_structure(coo_matrix<double>()).valid);
  EXPECT_TRUE(inspect_structure(ell_matrix<float>()).valid);
  EXPECT_TRUE(inspect_structure(sellp_matrix<double>()).valid);
  EXPECT_TRUE(inspect_structure(hyb_matrix<float>()).valid);
  EXPECT_TRUE(inspect_structure(dense_matrix<double>()).valid);
  EXPECT_TRUE(inspect_structure(csr_matrix<double>({4, 5}, 0)).valid);
  EXPECT_TRUE(inspect_structure(csc_matrix<double>({4, 5}, 0)).valid);
}

TEST(Owners, PaddedFormatsStartAsPaddingAndDenseAsZero) {
  const ell_matrix<double> e({2, 9}, 3, 4, 0, i64);
  EXPECT_TRUE(inspect_structure(e).valid);
  EXPECT_EQ(e.view().columns.size(), 12);
  for (index_t k = 0; k < 12; ++k) EXPECT_EQ(e.view().columns[k], padding);
  for (const double value : e.values()) EXPECT_EQ(value, 0);
  const std::vector<std::int32_t> offsets{0, 2};
  const sellp_matrix<float> s({2, 9}, 3, index_buffer(std::span(offsets)), {}, 0);
  EXPECT_TRUE(inspect_structure(s).valid);
  EXPECT_EQ(s.values().size(), 6u);
  for (index_t k = 0; k < 6; ++k) EXPECT_EQ(s.view().columns[k], padding);
  const dense_matrix<float> d(3, 2, layout::column_major);
  for (const float value : d.values()) EXPECT_EQ(value, 0);
}

TEST(Owners, ArraysOfTheWrongSizeAreRefused) {
  const auto indices = [](index_t size, index_width w = i32) { return index_buffer(size, w); };
  const auto text = refusal(error_kind::bad_argument, [&] {
    csr_matrix<double>({3, 4}, indices(3), indices(5), buffer<double>(5));
  });
  EXPECT_NE(text.find("3 offsets (expected 4)"), std::string::npos) << text;
  refusal(error_kind::bad_argument, [&] {
    csr_matrix<double>({3, 4}, indices(4), indices(5), buffer<double>(6));
  });
  refusal(error_kind::bad_argument, [&] {
    csc_matrix<double>({3, 4}, indices(4), indices(5), buffer<double>(5));
  });
  refusal(error_kind::bad_argument, [&] {
    csr_matrix<double>({3, 4}, indices(4, i32), indices(5, i64), buffer<double>(5));
  });
  refusal(error_kind::bad_argument, [&] {
    coo_matrix<double>({3, 4}, indices(5, i32), indices(5, i64), buffer<double>(5));
  });
  refusal(error_kind::bad_argument, [&] {
    coo_matrix<double>({3, 4}, indices(4), indices(5), buffer<double>(5));
  });
}

TEST(Owners, PaddedFormatsWithoutRoomAreRefused) {
  refusal(error_kind::bad_argument, [] { ell_matrix<double>({5, 4}, 2, 4, 0, i32); });
  refusal(error_kind::bad_argument, [] { ell_matrix<double>({5, 4}, 2, 5, 11, i32); });
  const index_t vast = index_t{1} << 40;
  refusal(error_kind::overflow, [&] { ell_matrix<double>({5, 4}, vast, vast, 0, i32); });
  const std::vector<std::int32_t> offsets{0, 2};
  const auto slices = [&] { return index_buffer(std::span(offsets)); };
  refusal(error_kind::bad_argument, [&] { sellp_matrix<double>({5, 4}, 4, slices(), {}, 0); });
  refusal(error_kind::bad_argument, [&] { sellp_matrix<double>({4, 4}, 4, slices(), {}, 9); });
  refusal(error_kind::bad_argument, [&] { sellp_matrix<double>({4, 4}, 0, slices(), {}, 0); });
  // 64-bit columns want 64-bit slice offsets.
  refusal(error_kind::bad_argument, [&] {
    sellp_matrix<double>({4, 4}, 4, slices(), index_buffer(4, i64), 0);
  });
  refusal(error_kind::bad_argument, [&] {
    sellp_matrix<double>({4, past_32_bit}, 4, slices(), {}, 0);
  });
}

TEST(Owners, HybPartsMustAgree) {
  refusal(error_kind::bad_argument, [] {
    hyb_matrix<double>(ell_matrix<double>({3, 4}, 0, 3, 0, i32), coo_matrix<double>({3, 5}, 0));
  });
  refusal(error_kind::bad_argument, [] {
    hyb_matrix<double>(ell_matrix<double>({3, 4}, 0, 3, 0, i64), coo_matrix<double>({3, 4}, 0));
  });
}

TEST(Owners, CopiesAreDeepAndMovesKeepTheArrays) {
  csr_matrix<double> a({1, 2}, 1);
  a.mutable_view().offsets.as<std::int32_t>()[1] = 1;
  a.mutable_view().columns.as<std::int32_t>()[0] = 1;
  a.values()[0] = 5;
  auto b = a;
  b.values()[0] = 6;
  EXPECT_EQ(a.values()[0], 5);
  const double* const before = b.values().data();
  const auto c = std::move(b);
  EXPECT_EQ(c.values().data(), before);
  EXPECT_EQ(c.values()[0], 6);
  EXPECT_TRUE(inspect_structure(c).valid);
}

TEST(Views, ZeroCopyOverYourOwnArrays) {
  const std::vector<double> values{1, 2, 3};
  const std::vector<std::int64_t> offsets{0, 2, 3};
  const std::vector<std::int32_t> columns{0, 2, 1};
  const csr_view<const double> a(values.data(), offsets.data(), columns.data(), {2, 3});
  EXPECT_EQ(a.values, values.data());
  EXPECT_EQ(a.columns.data(), columns.data());
  EXPECT_EQ(a.nnz(), 3);
  EXPECT_EQ(a.offsets.width(), i64);
  EXPECT_TRUE(inspect_structure(a).valid);
  const csc_view<const double> t(values.data(), offsets.data(), columns.data(), {3, 2});
  EXPECT_TRUE(inspect_structure(t).valid);
}

TEST(Views, AMutableViewWritesThrough) {
  dense_matrix<double> d(2, 3, layout::column_major);
  const auto view = d.mutable_view();
  view(1, 2) = 7;
  EXPECT_EQ(d.values()[5], 7);
  EXPECT_EQ(view.row_step(), 1);
  EXPECT_EQ(view.col_step(), 2);
  const dense_view<const double> reading = view;
  EXPECT_EQ(reading(1, 2), 7);
  EXPECT_EQ(reading.values, d.values().data());
}

TEST(Expressions, ComposeWithoutTouchingAnything) {
  const csr_matrix<double> a({2, 3}, 0);
  const auto e = scaled(2.0, transposed(scaled(3.0, transposed(a))));
  EXPECT_EQ(e.alpha, 6);
  EXPECT_FALSE(e.transposed);
  EXPECT_EQ(std::get<csr_view<const double>>(e.view).values, a.view().values);
}

}  // namespace
}  // namespace gossamer
