// What a matrix looks like, and what a product would cost, before anything is allocated.
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
  double mean = 0, deviation = 0;
  double imbalance = 0;                ///< max / mean (0 when empty)
  std::array<index_t, 7> quantiles{};  ///< at 1, 5, 25, 50, 75, 95, 99 %
};
inline constexpr std::array<double, 7> quantile_points{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

/// Counts of rows by length in powers of two: bin 0 empty rows, bin k lengths [2^(k-1), 2^k).
struct count_histogram {
  std::vector<index_t> bins;
};

struct format_bytes {
  gossamer::format format;
  index_t bytes = 0;
  double overhead = 0;  ///< bytes / bytes of CSR
};

struct matrix_analysis {
  extents shape;
  index_t nnz = 0;
  value_type values = value_type::f64;
  widths index;
  count_statistics rows, columns;
  count_histogram row_histogram;
  index_t bandwidth = 0;  ///< max |i - j|
  double profile = 0;     ///< sum over rows of (i - first column), lower triangle
  double pattern_symmetry =
      0;                 ///< share of off-diagonal entries whose mirror exists; 0 if not square
  index_t diagonal = 0;  ///< rows with a stored diagonal entry
  index_t explicit_zeros = 0;
  bool sorted = true, unique = true;
  std::vector<format_bytes> bytes;  ///< csr csc coo ell sellp hyb dense
};

template <scalar T>
matrix_analysis analyse(const context&, const csr_view<const T>&);

count_statistics statistics(std::span<const index_t> counts);
count_histogram histogram(std::span<const index_t> counts);

/// Peak bytes beyond the operands that an SpGEMM algorithm would need, result included.
struct algorithm_bytes {
  std::string algorithm;
  index_t bytes = 0;
};

/// What C = A B would be. `nnz` is exact when `exact`; else within nnz_low .. nnz_high at 95 %.
struct product_estimate {
  extents shape;
  index_t flop = 0;  ///< multiplications: sum over a_ik of nnz(B_k)
  index_t nnz = 0, nnz_low = 0, nnz_high = 0;
  bool exact = false;
  double compression = 0;  ///< cf = flop / nnz
  double expansion = 0;    ///< flop / nnz(A)
  count_statistics products_per_row;
  count_statistics expansion_per_row;  ///< products of a row / its entries, x1000 (see docs)
  index_t result_bytes = 0;
  std::vector<algorithm_bytes> peak;
};

struct estimate_options {
  bool exact = false;  ///< count nnz(C) exactly (costs about half of the product)
  index_t sample_rows = 512;
  std::uint64_t seed = 1;
};

template <multipliable A, multipliable B>
product_estimate estimate(const context& where, const A& a, const B& b,
                          const estimate_options& how = {});

namespace detail {
product_estimate estimate(const context&, const operand& a, const operand& b,
                          const estimate_options&);
}
template <multipliable A, multipliable B>
product_estimate estimate(const context& where, const A& a, const B& b,
                          const estimate_options& how) {
  return detail::estimate(where, express(a), express(b), how);
}

}  // namespace gossamer
