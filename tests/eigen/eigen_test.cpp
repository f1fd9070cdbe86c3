// Eigen's matrices and vectors as operands, judged by Eigen's own products.
#include "gossamer/eigen.hpp"

#include <gtest/gtest.h>

#include <Eigen/Sparse>

#include "gossamer/gossamer.hpp"

namespace gossamer {
namespace {

template <class T>
T number(int k) {
  if constexpr (complex_scalar<T>)
    return T(static_cast<real_of<T>>(k % 9 - 4), static_cast<real_of<T>>(k % 5 - 2));
  else
    return static_cast<T>(k % 9 - 4);
}

template <class Sparse>
Sparse example(int rows, int cols) {
  Sparse a(rows, cols);
  std::vector<Eigen::Triplet<typename Sparse::Scalar>> list;
  for (int k = 0; k < 3 * rows; ++k)
    list.emplace_back(k * 7 % rows, (k * 5 + k / 3) % cols, number<typename Sparse::Scalar>(k));
  a.setFromTriplets(list.begin(), list.end());
  return a;
}

template <class Sparse>
class EigenSparse : public testing::Test {};
using kinds =
    testing::Types<Eigen::SparseMatrix<double>, Eigen::SparseMatrix<double, Eigen::RowMajor>,
                   Eigen::SparseMatrix<double, Eigen::RowMajor, long long>,
                   Eigen::SparseMatrix<float, Eigen::ColMajor, std::ptrdiff_t>,
                   Eigen::SparseMatrix<std::complex<double>>,
                   Eigen::SparseMatrix<std::complex<float>, Eigen::RowMajor>>;
TYPED_TEST_SUITE(EigenSparse, kinds);

TYPED_TEST(EigenSparse, ProductsWithoutACopy) {
  using T = typename TypeParam::Scalar;
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  const auto cpu = context::openmp(2);
  const TypeParam A = example<TypeParam>(20, 12);
  EXPECT_EQ(adaptor<TypeParam>::view(A).values, A.valuePtr());
  const Vector x = Vector::Random(12);
  Vector y(20);
  multiply(cpu, A, x, y);
  EXPECT_TRUE(y.isApprox(A * x));
  const Dense B = Dense::Random(12, 5);
  Dense C(20, 5);
  multiply(cpu, A, B, C);
  EXPECT_TRUE(C.isApprox(A * B));
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> R(20, 5);
  multiply(cpu, A, B, R);
  EXPECT_TRUE(R.isApprox(A * B));
  multiply(cpu, A, B.col(2), C.col(1));
  EXPECT_TRUE(C.col(1).isApprox(A * B.col(2)));
  Vector z(20);
  z = Vector::Ones(20);
  Vector w(12);
  multiply(cpu, transposed(A), z, w);
  EXPECT_TRUE(w.isApprox(A.transpose() * z));
  multiply(cpu, conjugate_transposed(A), z, w);
  EXPECT_TRUE(w.isApprox(A.adjoint() * z));
  const auto P = multiply(cpu, A, transposed(A));
  const TypeParam wanted = A * TypeParam(A.transpose());
  EXPECT_TRUE(Dense(eigen_map(P)).isApprox(Dense(wanted)));
}

TEST(Eigen, StridedVectorsAndMaps) {
  const auto cpu = context::openmp(2);
  const auto A = example<Eigen::SparseMatrix<double>>(6, 4);
  const Eigen::MatrixXd B = Eigen::MatrixXd::Random(5, 4);  // a row is a vector with gaps
  Eigen::VectorXd y(6);
  multiply(cpu, A, B.row(2), y);
  EXPECT_TRUE(y.isApprox(A * B.row(2).transpose()));
  std::vector<double> memory{1, 2, 3, 4};
  const Eigen::Map<const Eigen::VectorXd> x(memory.data(), 4);
  multiply(cpu, A, x, y);
  EXPECT_TRUE(y.isApprox(A * x));
  Eigen::Ref<Eigen::VectorXd> reference = y;
  multiply(cpu, A, x, reference);
  const Eigen::Map<const Eigen::SparseMatrix<double>> M(
      A.rows(), A.cols(), A.nonZeros(), A.outerIndexPtr(), A.innerIndexPtr(), A.valuePtr());
  Eigen::VectorXd z(6);
  multiply(cpu, M, x, z);
  EXPECT_EQ(z, y);
}

TEST(Eigen, PlansAndConversions) {
  const auto cpu = context::openmp(2);
  const auto A = example<Eigen::SparseMatrix<double, Eigen::RowMajor>>(30, 30);
  const Eigen::VectorXd x = Eigen::VectorXd::Ones(30);
  Eigen::VectorXd y(30);
  const plan prepared =
      multiply_inspect(cpu, A, x, y, {.expected_calls = 10, .constant_values = true});
  multiply(prepared, A, x, y);
  EXPECT_TRUE(y.isApprox(A * x));
  EXPECT_TRUE(same(transpose(A), convert<csr_matrix<double>>(
                                     Eigen::SparseMatrix<double, Eigen::RowMajor>(A.transpose()))));
  EXPECT_EQ(row_sums(A).size(), 30u);
}

TEST(Eigen, WhatIsRefused) {
  const auto cpu = context::openmp(1);
  Eigen::SparseMatrix<double> loose(4, 4);
  loose.insert(1, 1) = 2;
  Eigen::VectorXd x = Eigen::VectorXd::Ones(4), y(4);
  EXPECT_FALSE(loose.isCompressed());
  EXPECT_THROW(multiply(cpu, loose, x, y), error);
  loose.makeCompressed();
  multiply(cpu, loose, x, y);
  EXPECT_EQ(y[1], 2);
  EXPECT_THROW(multiply(cpu, loose, Eigen::VectorXd(5), y), error);
  const csr_matrix<double> wide({2, 2}, 0, {index_width::i64, index_width::i64});
  EXPECT_THROW(eigen_map(wide), error);
  dense_matrix<double> D(2, 3);
  eigen_map(D)(1, 2) = 7;
  EXPECT_EQ(D(1, 2), 7);
}

}  // namespace
}  // namespace gossamer
