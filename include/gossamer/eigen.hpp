// Eigen's matrices and vectors as operands, without a copy: gossamer::multiply(cpu, A, x, y) with
// an Eigen::SparseMatrix A and Eigen::VectorXd x and y, and Gossamer's matrices as Eigen's. Header
// only; the rest of the library does not need Eigen.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <concepts>

#include "gossamer/operand.hpp"

namespace gossamer {

namespace detail {
/// Sparse matrices, and maps and references of them, whose arrays can be borrowed.
template <class X>
concept eigen_sparse = std::derived_from<X, Eigen::SparseMatrixBase<X>> && requires(const X& x) {
  x.outerIndexPtr();
  x.innerIndexPtr();
  x.valuePtr();
  x.isCompressed();
};
/// Dense matrices, vectors, and their blocks, maps and references that lie in memory.
template <class X>
concept eigen_dense = std::derived_from<X, Eigen::DenseBase<X>> && requires(const X& x) {
  x.data();
  x.innerStride();
  x.outerStride();
};

[[noreturn]] inline void refuse_eigen(extents shape, const char* problem) {
  throw error(error_kind::bad_argument, "the Eigen matrix of " + std::to_string(shape.rows) +
                                            " x " + std::to_string(shape.cols) + " " + problem);
}

/// Vectors are columns, whatever their orientation; elements may be apart.
template <class T, class X>
dense_view<T> eigen_view(X& x, T* data) {
  if constexpr (X::IsVectorAtCompileTime) {
    const auto n = static_cast<index_t>(x.size()), step = static_cast<index_t>(x.innerStride());
    if (step == 1) return dense_view<T>({n, 1}, layout::column_major, n, data);
    return dense_view<T>({n, 1}, layout::row_major, step, data);
  } else {
    const extents shape{static_cast<index_t>(x.rows()), static_cast<index_t>(x.cols())};
    if (x.innerStride() != 1)
      refuse_eigen(shape, "has gaps within its rows or columns; copy it into a plain matrix");
    return dense_view<T>(shape, X::IsRowMajor ? layout::row_major : layout::column_major,
                         static_cast<index_t>(x.outerStride()), data);
  }
}
}  // namespace detail

/// Row-major sparse matrices are CSR, column-major ones CSC. They must be compressed.
template <detail::eigen_sparse X>
struct adaptor<X> {
  using value = typename X::Scalar;
  static auto view(const X& x) {
    const extents shape{static_cast<index_t>(x.rows()), static_cast<index_t>(x.cols())};
    if (!x.isCompressed())
      detail::refuse_eigen(shape, "is not compressed; call makeCompressed() first");
    if constexpr (X::IsRowMajor)
      return csr_view<const value>(x.valuePtr(), x.outerIndexPtr(), x.innerIndexPtr(), shape);
    else
      return csc_view<const value>(x.valuePtr(), x.outerIndexPtr(), x.innerIndexPtr(), shape);
  }
};

template <detail::eigen_dense X>
struct adaptor<X> {
  using value = typename X::Scalar;
  static dense_view<const value> view(const X& x) {
    return detail::eigen_view<const value>(x, x.data());
  }
  static dense_view<value> target(X& x) requires requires {
    { x.data() } -> std::same_as<value*>;
  }
  { return detail::eigen_view<value>(x, x.data()); }
};

/// A CSR matrix with 32-bit indices and offsets, in host memory, as Eigen's; borrows its arrays.
/// Throws error(bad_argument) for others: convert indices with Eigen's cast, or copy.
template <scalar T>
Eigen::Map<const Eigen::SparseMatrix<T, Eigen::RowMajor, std::int32_t>> eigen_map(
    const csr_view<const T>& a) {
  if (a.where != memory::host || a.columns.width() != index_width::i32 ||
      a.offsets.width() != index_width::i32 || a.offsets.size() == 0)
    throw error(
        error_kind::bad_argument,
        "only CSR matrices with 32-bit indices and offsets in host memory can be seen as an "
        "Eigen::SparseMatrix");
  return {a.shape.rows,
          a.shape.cols,
          a.nnz(),
          a.offsets.template as<std::int32_t>().data(),
          a.columns.template as<std::int32_t>().data(),
          a.values};
}
template <scalar T>
auto eigen_map(const csr_matrix<T>& a) {
  return eigen_map<T>(a.view());
}
template <scalar T>
void eigen_map(const csr_matrix<T>&&) = delete;  // the map would outlive what it borrows

/// A row-major dense matrix in host memory as Eigen's.
template <scalar T>
using eigen_rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <scalar T>
Eigen::Map<eigen_rows<T>> eigen_map(dense_matrix<T>& a) {
  if (a.order() != layout::row_major || a.view().where != memory::host)
    throw error(error_kind::bad_argument,
                "only row-major matrices in host memory can be seen as Eigen's");
  return {a.values().data(), a.rows(), a.cols()};
}
template <scalar T>
Eigen::Map<const eigen_rows<T>> eigen_map(const dense_matrix<T>& a) {
  if (a.order() != layout::row_major || a.view().where != memory::host)
    throw error(error_kind::bad_argument,
                "only row-major matrices in host memory can be seen as Eigen's");
  return {a.values().data(), a.rows(), a.cols()};
}
template <scalar T>
void eigen_map(const dense_matrix<T>&&) = delete;

}  // namespace gossamer
