// Statistics of a matrix and estimates of a product, without allocating the result. Everything here
// reads host memory, never changes an operand, and is bitwise reproducible for any number of
// threads. docs/guide/analysis.md has the definitions and formulas.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "gossamer/context.hpp"
#include "gossamer/operand.hpp"

namespace gossamer {

/// Statistics of a distribution of counts (row lengths, multiplications per row).
struct count_statistics {
  index_t count = 0, total = 0, min = 0, max = 0, zeros = 0;
  double mean = 0, deviation = 0;      ///< deviation: square root of the mean squared distance
  double imbalance = 0;                ///< max / mean (0 when empty)
  std::array<index_t, 7> quantiles{};  ///< at quantile_points: the smallest count that at least
                                       ///< this share of the counts does not exceed
};
/// The shares at which count_statistics::quantiles are taken.
inline constexpr std::array<double, 7> quantile_points{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

/// Statistics of a ratio taken row by row, over the rows where it is defined.
struct factor_statistics {
  double min = 0, max = 0, mean = 0, deviation = 0;
  index_t rows = 0;  ///< rows where the ratio is defined
};

/// Numbers of rows by length in powers of two: bin 0 is empty rows, bin k lengths [2^(k-1), 2^k).
/// There are as many bins as the largest count needs; none when there are no rows.
struct count_histogram {
  std::vector<index_t> bins;
};

/// Statistics and histogram of `counts`. Throw error(bad_argument) on a negative count,
/// error(overflow) when the total needs more than 64 bits. O(count) unless most counts exceed
/// 65,535. Without a context they run on the calling thread.
count_statistics statistics(const context& where, std::span<const index_t> counts);
count_statistics statistics(std::span<const index_t> counts);
count_histogram histogram(const context& where, std::span<const index_t> counts);
count_histogram histogram(std::span<const index_t> counts);

/// Prints a histogram as horizontal bars, one line per bin from the first to the last nonempty one:
/// lengths, rows, bar. Lines are at most `width` columns wide (never less than the numbers need).
std::string render(const count_histogram& bins, int width = 80);

/// Bytes that a format would need, with the narrowest safe index widths.
struct format_bytes {
  gossamer::format format;
  index_t bytes = 0;    ///< stops at the largest 64-bit number: then it means "at least"
  double overhead = 0;  ///< bytes / bytes of CSR
};

/// What `analyse` finds out about a matrix.
struct matrix_analysis {
  extents shape;
  index_t nnz = 0;
  value_type values = value_type::f64;
  widths index;
  count_statistics rows, columns;
  count_histogram row_histogram;
  index_t bandwidth = 0;        ///< max |i - j|
  double profile = 0;           ///< sum over rows of (i - first column), lower triangle
  double pattern_symmetry = 0;  ///< share of off-diagonal nonzeros whose mirror image is stored; 0
                                ///< if not square, 1 if square with nothing off the diagonal
  index_t diagonal = 0;         ///< rows with a stored diagonal element
  index_t explicit_zeros = 0;   ///< stored elements that are exactly zero
  bool sorted = true;           ///< columns never descend within a row
  bool unique = true;           ///< no (i, j) twice, found in unsorted rows too
  std::vector<format_bytes> bytes;  ///< csr csc coo ell sellp hyb dense; slices of 64 rows, HYB
                                    ///< split for minimal storage
};

/// Statistics of a matrix. O(nnz) time and memory; columns need not be sorted.
template <scalar T>
matrix_analysis analyse(const context& where, const csr_view<const T>& a);
template <scalar T>
matrix_analysis analyse(const context& where, const csr_matrix<T>& a) {
  return analyse<T>(where, a.view());
}

/// Peak bytes beyond the operands that an SpGEMM algorithm would need, result included.
struct algorithm_bytes {
  std::string algorithm;  ///< adaptive hash heap spa pb esc
  index_t bytes = 0;      ///< stops at the largest 64-bit number: then it means "at least"
};

/// Size and cost of C = A B. Ĉ is C before equal columns are added: one element per multiplication.
/// `nnz` is exact when `exact`; otherwise it lies within nnz_low .. nnz_high with 95 % confidence.
struct product_estimate {
  extents shape;
  index_t flop = 0;  ///< multiplications: sum over a_ik of nnz(B_k)
  index_t nnz = 0, nnz_low = 0, nnz_high = 0;
  bool exact = false;
  index_t counted_rows = 0;             ///< rows of C whose nonzeros were counted exactly
  index_t counted_products = 0;         ///< multiplications that this counting visited
  double compression = 0;               ///< cf = flop / nnz
  double expansion = 0;                 ///< flop / nnz(A)
  count_statistics products_per_row;    ///< row lengths of Ĉ
  count_histogram products_histogram;   ///< the same
  factor_statistics expansion_per_row;  ///< nnz(Ĉ_i) / nnz(A_i), over nonempty rows of A
  /// nnz(Ĉ_i) / nnz(C_i), over nonempty rows of C. When not exact: min and max of the counted rows,
  /// mean and deviation weighted to represent all rows.
  factor_statistics contraction_per_row;
  index_t result_bytes = 0;           ///< C with nnz_high nonzeros and the narrowest safe widths
  std::vector<algorithm_bytes> peak;  ///< adaptive hash heap spa pb esc, for nnz_high
};

/// How much work an estimate may do.
struct estimate_options {
  bool exact = false;         ///< count nnz(C) exactly (costs about half of the product)
  index_t sample_rows = 512;  ///< about this many rows are sampled and counted exactly
  std::uint64_t seed = 1;
};

namespace detail {
product_estimate estimate(const context&, const operand& a, const operand& b,
                          const estimate_options&);
buffer<index_t> products_per_row(const context&, const operand& a, const operand& b);
index_t count_products(const context&, const operand& a, const operand& b);
}  // namespace detail

/// Estimates C = A B. Operands are CSR or CSC, perhaps transposed; scaling changes nothing here.
/// Operands stored by columns (CSC, or transposed CSR) cost a copy of their pattern. Small products
/// are counted exactly. Throws error(bad_argument) on other formats and on shapes that do not
/// match, error(overflow) when the number of multiplications does not fit 64 bits.
template <multipliable A, multipliable B>
product_estimate estimate(const context& where, const A& a, const B& b,
                          const estimate_options& how = {}) {
  return detail::estimate(where, express(a), express(b), how);
}

/// Multiplications per row of C = A B, exact, O(nnz): the row lengths of Ĉ. Same operands and
/// errors as estimate; no pattern is copied.
template <multipliable A, multipliable B>
buffer<index_t> products_per_row(const context& where, const A& a, const B& b) {
  return detail::products_per_row(where, express(a), express(b));
}

/// Total number of multiplications of C = A B, flop. With A by columns and B by rows it reads only
/// the offsets: O(columns of A).
template <multipliable A, multipliable B>
index_t count_products(const context& where, const A& a, const B& b) {
  return detail::count_products(where, express(a), express(b));
}

/// Text for people: aligned, several lines.
std::string describe(const matrix_analysis& analysis);
std::string describe(const product_estimate& estimate);
/// The same for programs: one JSON object.
std::string to_json(const matrix_analysis& analysis);
std::string to_json(const product_estimate& estimate);

}  // namespace gossamer
