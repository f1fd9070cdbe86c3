// What a matrix looks like, and what a product would cost, before anything is allocated.
// Everything here reads host memory, never changes an operand, and gives the same bits for any
// number of threads. docs/analysis.md has the definitions and formulas.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "gossamer/context.hpp"
#include "gossamer/operand.hpp"

namespace gossamer {

/// Statistics of a distribution of counts (row lengths, products per row).
struct count_statistics {
  index_t count = 0, total = 0, min = 0, max = 0, zeros = 0;
  double mean = 0, deviation = 0;      ///< deviation: square root of the mean squared distance
  double imbalance = 0;                ///< max / mean (0 when empty)
  std::array<index_t, 7> quantiles{};  ///< at quantile_points: the smallest count that at least
                                       ///< this share of the counts does not exceed
};
inline constexpr std::array<double, 7> quantile_points{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

/// Statistics of a ratio taken row by row, over the rows where it is defined.
struct factor_statistics {
  double min = 0, max = 0, mean = 0, deviation = 0;
  index_t rows = 0;  ///< rows looked at
};

/// Counts of rows by length in powers of two: bin 0 empty rows, bin k lengths [2^(k-1), 2^k).
/// As many bins as the largest count needs; none when there are no rows.
struct count_histogram {
  std::vector<index_t> bins;
};

/// Throw error(bad_argument) on a negative count, error(overflow) when the total needs more than
/// 64 bits. O(count) unless most counts exceed 65,535. Without a context: on this thread.
count_statistics statistics(const context& where, std::span<const index_t> counts);
count_statistics statistics(std::span<const index_t> counts);
count_histogram histogram(const context& where, std::span<const index_t> counts);
count_histogram histogram(std::span<const index_t> counts);

/// Horizontal bars, one line per bin from the first to the last that has rows: lengths, rows, bar.
/// Lines are at most `width` columns wide (never less than the numbers need).
std::string render(const count_histogram& bins, int width = 80);

/// Bytes a format would take, with the narrowest index widths that are safe.
struct format_bytes {
  gossamer::format format;
  index_t bytes = 0;    ///< stops at the largest 64-bit number: then it means "at least"
  double overhead = 0;  ///< bytes / bytes of CSR
};

struct matrix_analysis {
  extents shape;
  index_t nnz = 0;
  value_type values = value_type::f64;
  widths index;
  count_statistics rows, columns;
  count_histogram row_histogram;
  index_t bandwidth = 0;        ///< max |i - j|
  double profile = 0;           ///< sum over rows of (i - first column), lower triangle
  double pattern_symmetry = 0;  ///< share of off-diagonal entries whose mirror exists; 0 if not
                                ///< square, 1 if square with nothing off the diagonal
  index_t diagonal = 0;         ///< rows with a stored diagonal entry
  index_t explicit_zeros = 0;
  bool sorted = true;               ///< columns never descend within a row
  bool unique = true;               ///< no (i, j) twice, found in unsorted rows too
  std::vector<format_bytes> bytes;  ///< csr csc coo ell sellp hyb dense; slices of 64 rows, HYB
                                    ///< split for minimal storage
};

/// O(nnz) time and memory; columns need not be sorted.
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

/// What C = A B would be. Ĉ is C before equal columns are added up: one entry per product.
/// `nnz` is exact when `exact`; else within nnz_low .. nnz_high at 95 %.
struct product_estimate {
  extents shape;
  index_t flop = 0;  ///< multiplications: sum over a_ik of nnz(B_k)
  index_t nnz = 0, nnz_low = 0, nnz_high = 0;
  bool exact = false;
  index_t counted_rows = 0;             ///< rows of C whose entries were counted one by one
  index_t counted_products = 0;         ///< products that took
  double compression = 0;               ///< cf = flop / nnz
  double expansion = 0;                 ///< flop / nnz(A)
  count_statistics products_per_row;    ///< row lengths of Ĉ
  count_histogram products_histogram;   ///< the same
  factor_statistics expansion_per_row;  ///< nnz(Ĉ_i) / nnz(A_i), over rows of A with entries
  /// nnz(Ĉ_i) / nnz(C_i), over rows with products. When not exact: min and max of the rows
  /// counted, mean and deviation weighted so that they stand for all rows.
  factor_statistics contraction_per_row;
  index_t result_bytes = 0;           ///< C with nnz_high entries and the narrowest safe widths
  std::vector<algorithm_bytes> peak;  ///< adaptive hash heap spa pb esc, for nnz_high
};

struct estimate_options {
  bool exact = false;         ///< count nnz(C) exactly (costs about half of the product)
  index_t sample_rows = 512;  ///< about this many rows are counted
  std::uint64_t seed = 1;
};

namespace detail {
product_estimate estimate(const context&, const operand& a, const operand& b,
                          const estimate_options&);
buffer<index_t> products_per_row(const context&, const operand& a, const operand& b);
index_t count_products(const context&, const operand& a, const operand& b);
}  // namespace detail

/// Operands are CSR or CSC, perhaps transposed; scaling changes nothing here. Operands by columns
/// (CSC, or transposed CSR) cost a copy of their pattern. Small products are counted exactly.
/// Throws error(bad_argument) on other formats and on shapes that do not match, error(overflow)
/// when the products do not fit 64 bits.
template <multipliable A, multipliable B>
product_estimate estimate(const context& where, const A& a, const B& b,
                          const estimate_options& how = {}) {
  return detail::estimate(where, express(a), express(b), how);
}

/// Products per row of C = A B, exact, O(nnz): the row lengths of Ĉ. Same operands and errors as
/// estimate; no pattern is copied.
template <multipliable A, multipliable B>
buffer<index_t> products_per_row(const context& where, const A& a, const B& b) {
  return detail::products_per_row(where, express(a), express(b));
}

/// Their sum, flop. With A by columns and B by rows it takes only the offsets: O(A's columns).
template <multipliable A, multipliable B>
index_t count_products(const context& where, const A& a, const B& b) {
  return detail::count_products(where, express(a), express(b));
}

/// For people, aligned, several lines; and for programs, one JSON object.
std::string describe(const matrix_analysis& analysis);
std::string describe(const product_estimate& estimate);
std::string to_json(const matrix_analysis& analysis);
std::string to_json(const product_estimate& estimate);

}  // namespace gossamer
