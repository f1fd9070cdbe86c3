// The factors of products, and the formats they may be stored in.
#pragma once

#include <optional>
#include <variant>

#include "gossamer/convert.hpp"
#include "gossamer/multiply.hpp"

namespace gossamer::bench {

template <scalar T>
using any_matrix = std::variant<csr_matrix<T>, csc_matrix<T>, coo_matrix<T>, ell_matrix<T>,
                                sellp_matrix<T>, hyb_matrix<T>, dense_matrix<T>>;

template <scalar T>
any_matrix<T> in_format(const context& where, const csr_matrix<T>& a, format wanted,
                        const convert_options& how = {});

/// The factors of one product: op(A) in CSR and, on the right, a dense block (a vector is a block
/// of one column), another sparse matrix, or A itself.
template <scalar T>
struct factors {
  operation product = operation::spmv;
  csr_matrix<T> a;
  bool transpose_a = false, conjugate_a = false;  ///< conjugates of complex values only
  T alpha = 1;
  dense_matrix<T> dense;           ///< spmv, spmm
  std::optional<csr_matrix<T>> b;  ///< spgemm; absent means A

  const csr_matrix<T>& sparse() const { return b ? *b : a; }
  expression<T> left() const { return left_of(express(a)); }
  /// alpha op(A) with A held in another format.
  expression<T> left_of(expression<T> held) const {
    held.alpha = alpha;
    held.transposed = transpose_a;
    held.conjugated = conjugate_a && complex_scalar<T>;
    return held;
  }
  extents left_shape() const { return transpose_a ? transposed(a.shape()) : a.shape(); }
  index_t right_columns() const {
    return product == operation::spgemm ? sparse().cols() : dense.cols();
  }
};

template <scalar T>
expression<T> express_any(const any_matrix<T>& held) {
  return std::visit([](const auto& m) { return express(m); }, held);
}

template <scalar T>
extents shape_of(const expression<T>& e) {
  return std::visit([](const auto& v) { return v.shape; }, e.view);
}

/// Bytes of the arrays behind a view, padding included.
template <scalar T>
index_t stored_bytes(const any_view<const T>& view);

/// Row-major (a single column: column-major, which is the same), uniform in [-1, 1).
template <scalar T>
dense_matrix<T> random_block(const context& where, extents shape, std::uint64_t seed);

}  // namespace gossamer::bench
