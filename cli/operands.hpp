// What is multiplied: matrices and vectors from files, patterns and seeds.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "gossamer/convert.hpp"
#include "gossamer/io.hpp"
#include "gossamer/multiply.hpp"
#include "progress.hpp"
#include "report.hpp"

namespace gossamer::cli {

template <scalar T>
using any_matrix = std::variant<csr_matrix<T>, csc_matrix<T>, coo_matrix<T>, ell_matrix<T>,
                                sellp_matrix<T>, hyb_matrix<T>, dense_matrix<T>>;

template <scalar T>
any_matrix<T> in_format(const context& where, const csr_matrix<T>& a, format wanted);

/// The factors of one product, as plain as they come: op(A) in CSR and, on the right, a dense
/// block (a vector is a block of one column), another sparse matrix, or A itself.
template <scalar T>
struct factors {
  operation product = operation::spmv;
  csr_matrix<T> a;
  bool transpose_a = false;
  T alpha = 1;
  dense_matrix<T> dense;           ///< spmv, spmm
  std::optional<csr_matrix<T>> b;  ///< spgemm; absent means A

  const csr_matrix<T>& sparse() const { return b ? *b : a; }
  expression<T> left() const { return left_of(express(a)); }
  /// alpha op(A) with A held in another format.
  expression<T> left_of(expression<T> held) const {
    held.alpha = alpha;
    held.transposed = transpose_a;
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

/// Reads with progress; the stage names the file.
template <scalar T>
csr_matrix<T> load_sparse(const std::filesystem::path& file, const context& where,
                          progress& ticker);
template <scalar T>
dense_matrix<T> load_dense(const std::filesystem::path& file, const context& where,
                           progress& ticker);
template <scalar T>
file_matrix<T> load_any(const std::filesystem::path& file, const context& where, progress& ticker);

/// `what` is "ones", "random" or an n x 1 file (a file called "ones" is reached as ./ones).
struct vector_source {
  std::string what;
  std::uint64_t seed = 1;
};
template <scalar T>
dense_matrix<T> load_vector(const context& where, const vector_source& from, index_t size,
                            progress& ticker);
/// Row-major, uniform in [-1, 1).
template <scalar T>
dense_matrix<T> random_block(const context& where, extents shape, std::uint64_t seed);

/// Throws error(bad_input) when op(A) and the right factor do not fit; the names are for people.
void require_inner_match(const std::string& left, extents left_shape, const std::string& right,
                         extents right_shape);

}  // namespace gossamer::cli
