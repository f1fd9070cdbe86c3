// Complex values through every format, conjugated, cast, and in the operations on rows.
#include <gtest/gtest.h>

#include <limits>

#include "gossamer/gossamer.hpp"

namespace gossamer {

namespace {

template <class T>
class ComplexConversions : public testing::Test {};
using complex_types = testing::Types<std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ComplexConversions, complex_types);

template <class T>
csr_matrix<T> sample() {
  return from_triplets<T>({3, 4}, std::vector{0, 0, 1, 2, 2}, std::vector{0, 3, 2, 0, 1},
                          std::vector<T>{{1, 2}, {0, -3}, {-1, 0.5}, {4, 0}, {0.25, 8}});
}

/// A through the format and back.
template <class Matrix, class T>
void expect_round_trip(const csr_matrix<T>& a) {
  EXPECT_TRUE(same(convert<csr_matrix<T>>(convert<Matrix>(a)), a));
  const auto turned = convert<Matrix>(conjugate_transposed(a));
  EXPECT_EQ(turned.shape(), transposed(a.shape()));
  EXPECT_EQ(value_at(turned, 3, 0), T(0, 3));
  EXPECT_EQ(value_at(turned, 2, 1), T(-1, -0.5F));
  EXPECT_TRUE(same(convert<csr_matrix<T>>(conjugate_transposed(turned)), a));
}

}  // namespace

TYPED_TEST(ComplexConversions, AllFormatsThereAndBack) {
  using T = TypeParam;
  const auto a = sample<T>();
  expect_round_trip<csr_matrix<T>>(a);
  expect_round_trip<csc_matrix<T>>(a);
  expect_round_trip<coo_matrix<T>>(a);
  expect_round_trip<ell_matrix<T>>(a);
  expect_round_trip<sellp_matrix<T>>(a);
  expect_round_trip<hyb_matrix<T>>(a);
  expect_round_trip<dense_matrix<T>>(a);
}

TYPED_TEST(ComplexConversions, ScaledAndConjugated) {
  using T = TypeParam;
  const auto a = sample<T>();
  const auto scaled_first = convert<coo_matrix<T>>(conjugated(scaled(T(0, 2), a)));
  EXPECT_EQ(value_at(scaled_first, 0, 0), std::conj(T(0, 2) * T(1, 2)));
  const auto conjugated_first = convert<csr_matrix<T>>(scaled(T(0, 2), conjugated(a)));
  EXPECT_EQ(value_at(conjugated_first, 0, 0), T(0, 2) * T(1, -2));
  EXPECT_EQ(value_at(conjugated(scaled(T(0, 2), a)), 0, 0), std::conj(T(0, 2) * T(1, 2)));
  EXPECT_TRUE(same(convert<csr_matrix<T>>(conjugated(conjugated(a))), a));
}

TYPED_TEST(ComplexConversions, RealValuesBecomeComplex) {
  using T = TypeParam;
  const auto real = from_triplets<double>({2, 2}, std::vector{0, 1}, std::vector{1, 0},
                                          std::vector<double>{1.5, -2});
  const auto wide = convert<csc_matrix<T>>(real);
  EXPECT_EQ(value_at(wide, 0, 1), T(1.5F));
  EXPECT_EQ(value_at(wide, 1, 0), T(-2));
  const auto dense = convert<dense_matrix<T>>(convert<dense_matrix<float>>(real));
  EXPECT_EQ(dense(0, 1), T(1.5F));
  using other = std::conditional_t<sizeof(T) == 8, std::complex<double>, std::complex<float>>;
  EXPECT_EQ(value_at(convert<ell_matrix<other>>(sample<T>()), 2, 1), other(0.25F, 8));
  static_assert(!value_convertible<T, double>);
}

TYPED_TEST(ComplexConversions, OperationsOnRows) {
  using T = TypeParam;
  const auto a = sample<T>();
  const context cpu = context::openmp(2);
  EXPECT_EQ(value_at(add(cpu, a, conjugated(a)), 0, 0), T(2));
  EXPECT_EQ(value_at(add(cpu, scaled(T(0, 1), a), a), 0, 3), T(3, -3));
  EXPECT_EQ(value_at(transpose<T>(cpu, a.view()), 3, 0), T(0, -3));
  const auto largest = keep<T>(cpu, a.view(), {.largest = 1});
  EXPECT_EQ(largest.nnz(), 3);
  EXPECT_EQ(value_at(largest, 2, 1), T(0.25F, 8));
  EXPECT_EQ((keep<T>(cpu, a.view(), {.magnitude = 3.5}).nnz()), 2);
  const auto twice = sum_duplicates<T>(
      cpu, convert<csr_matrix<T>>(from_triplets<T>({1, 1}, std::vector{0, 0}, std::vector{0, 0},
                                                   std::vector<T>{{1, 1}, {2, -3}}))
               .view());
  EXPECT_EQ(value_at(twice, 0, 0), T(3, -2));
  const auto square =
      from_triplets<T>({2, 2}, std::vector{0}, std::vector{1}, std::vector<T>{{2, 4}});
  EXPECT_EQ(value_at(symmetrise<T>(cpu, square.view()), 1, 0), T(1, 2));
}

TYPED_TEST(ComplexConversions, LinesOfMatrices) {
  using T = TypeParam;
  using R = real_of<T>;
  const auto a = sample<T>();
  EXPECT_EQ(row_sums(a), (std::vector<T>{{1, -1}, {-1, 0.5}, {4.25, 8}}));
  EXPECT_EQ(column_sums(conjugated(a)), (std::vector<T>{{5, -2}, {0.25, -8}, {-1, -0.5}, {0, 3}}));
  EXPECT_EQ(row_norms(from_triplets<T>({1, 2}, {0, 0}, {0, 1}, {T(0, 4), T(3)})),
            std::vector<R>{5});
  const auto by_four = from_triplets<T>({2, 2}, {0, 0}, {0, 1}, {T(3, 4), T(0, -1)});
  EXPECT_EQ(row_norms(by_four, reduction::norm1), (std::vector<R>{6, 0}));
  EXPECT_EQ(column_norms(by_four, reduction::norm_max), (std::vector<R>{5, 1}));
  EXPECT_EQ(diagonal_of(a), (std::vector<T>{{1, 2}, 0, 0}));
  const std::vector<T> d{{0, 1}, 2, {1, 1}}, e{{0, 1}, 0, 1, 2};
  EXPECT_EQ(value_at(scale_rows(a, d), 2, 0), T(4, 4));
  EXPECT_EQ(value_at(scale_columns(conjugated(a), e), 0, 0), T(2, 1));
  EXPECT_THROW(scale_rows(a, conjugated(d)), error);
}

TYPED_TEST(ComplexConversions, PartsOfMatrices) {
  using T = TypeParam;
  const auto a = sample<T>();
  EXPECT_EQ(tril(a).nnz(), 3);
  EXPECT_EQ(triu(a, 1).nnz(), 2);
  EXPECT_EQ(select(a, [](index_t, index_t, T v) { return v.imag() > 0; }).nnz(), 3);
  EXPECT_EQ(value_at(submatrix(a, std::vector{2, 0}, std::vector{1, 0}), 0, 0), T(0.25, 8));
  EXPECT_EQ(value_at(slice_rows(a, 1, 3), 1, 0), T(4));
  EXPECT_EQ(value_at(kron(a, conjugated(a)), 3, 4), T(0));
  EXPECT_EQ(value_at(kron(a, conjugated(a)), 0, 3), T(1, 2) * T(0, 3));
  EXPECT_EQ(value_at(diagonal(std::vector<T>{{1, 1}, {0, 2}}), 1, 1), T(0, 2));
  EXPECT_EQ(value_at(identity<T>(3), 2, 2), T(1));
  EXPECT_TRUE(same(from_dense(to_dense(a)), a));
  EXPECT_EQ(spy(a, {.unicode = false}), spy(conjugated(a), {.unicode = false}));
  EXPECT_TRUE(same(transpose(conjugated(a)), convert<csr_matrix<T>>(conjugate_transposed(a))));
}

TYPED_TEST(ComplexConversions, TemporariesAreKept) {
  using T = TypeParam;
  const auto kept = conjugate_transposed(scaled(T(0, 1), sample<T>()));
  EXPECT_EQ(value_at(kept, 3, 0), std::conj(T(0, 1) * T(0, -3)));
}

TYPED_TEST(ComplexConversions, CompareAndPrint) {
  using T = TypeParam;
  const auto a = sample<T>();
  auto b = a;
  EXPECT_TRUE(allclose(a, b));
  b.values()[0] += T(0, 0.01F);
  EXPECT_FALSE(allclose(a, b));
  EXPECT_TRUE(allclose(a, b, 0.1));
  EXPECT_FALSE(same(a, b));
  std::ostringstream out;
  out << a;
  EXPECT_NE(out.str().find("1+2i"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find(sizeof(T) == 8 ? "c64" : "c128"), std::string::npos) << out.str();
}

}  // namespace gossamer
