// Rows of a CSR matrix times x. The fastest loop depends on how well the branch predictor can
// predict row lengths: rows that are alike, or so few that their lengths are remembered, are
// unrolled; others may cost one misprediction at most. The style depends on the matrix alone, and a
// row is always summed in the same order, so results are bitwise reproducible for any number of
// threads. docs/kernels/spmv-cpu.md has the measurements.
#pragma once

#include <array>

#include "analysis/row_sample.hpp"
#include "base/parallel.hpp"
#include "gossamer/machine.hpp"
#include "kernels/common/vector_arguments.hpp"
#include "kernels/simd/select.hpp"

namespace gossamer {

/// The loops a row may be summed with.
enum class row_style {
  regular,            ///< nearly all rows of one short length, small A: loops of fixed length
  vector,             ///< predictable lengths, small A: vectors along a row
  vector_prefetch,    ///< predictable lengths: the same, prefetching values and columns
  products_first,     ///< unpredictable short rows: multiply a block first, then sum under masks
  scalar,             ///< unpredictable lengths: one loop with one exit, loads of x are not delayed
  scalar_prefetch_x,  ///< unpredictable lengths, x exceeds the caches: its elements are prefetched
};
inline constexpr std::array all_row_styles{
    row_style::regular,        row_style::vector, row_style::vector_prefetch,
    row_style::products_first, row_style::scalar, row_style::scalar_prefetch_x};

/// Computes y = alpha * A x + beta * y for the rows of the range.
template <class T, class I, class O>
using row_summer = void (*)(const csr_ref<const T, I, O>&, const vector_call<T>&, range rows);

template <real_scalar T, class I, class O>
variants<row_summer<T, I, O>> row_summers(row_style);
/// Complex values have one loop for all styles (complex_rows.hpp).
template <complex_scalar T, class I, class O>
variants<row_summer<T, I, O>> complex_row_summers();

/// The fastest variant of a style on this processor, looked up once per process.
template <class T, class I, class O>
row_summer<T, I, O> fastest_row_summer(row_style style) {
  if constexpr (complex_scalar<T>) {
    static const auto one = select(complex_row_summers<T, I, O>());
    return one;
  } else {
    static const auto fastest = [] {
      std::array<row_summer<T, I, O>, all_row_styles.size()> found;
      for (const auto s : all_row_styles)
        found[static_cast<std::size_t>(s)] = select(row_summers<T, I, O>(s));
      return found;
    }();
    return fastest[static_cast<std::size_t>(style)];
  }
}

/// The sum of the nonzeros begin .. end, which belong to one row.
template <class T, class I, class O>
T piece_sum(row_summer<T, I, O> sum_rows, const csr_ref<const T, I, O>& a, const vector_call<T>& v,
            index_t begin, index_t end) {
  const O ends[2] = {static_cast<O>(begin), static_cast<O>(end)};
  T sum = 0;
  sum_rows({1, a.cols, ends, a.columns, a.values},
           {.x = v.x, .y = &sum, .conjugated = v.conjugated}, {0, 1});
  return sum;
}

// Thresholds between styles, measured on a Zen 4 with downloaded and generated matrices: tables in
// docs/kernels/spmv-cpu.md.

/// Rows shorter than this have an unrolled loop per length, if nearly all are of one length.
inline constexpr index_t fixed_lengths = 8;
/// Up to this size the TLB covers A, and the hardware prefetcher keeps up.
inline constexpr index_t vector_bytes = index_t{10} << 20;
/// Rows of at most one vector of multiplications count as short; most rows are short if 7 of 10
/// are.
template <class T>
inline constexpr index_t short_length = 64 / index_t{sizeof(T)};
/// If most rows are short and the mean is not, products_first pays while x fits half an L2.
inline constexpr index_t products_first_bytes = index_t{512} << 10;
/// Above this size x is read from memory, not from a cache: prefetching it pays.
inline constexpr index_t prefetch_x_bytes = index_t{12} << 20;

/// Chooses the style for a matrix whose row lengths were sampled (analysis/row_sample.hpp); a
/// matrix with long rows needs no sample.
template <class T, class I, class O>
row_style style_of(const csr_ref<const T, I, O>& a, const analysis::length_sample& seen,
                   index_t remembered = this_machine().spmv.remembered_rows) {
  const index_t bytes = a.rows * index_t{sizeof(O)} + a.nnz() * index_t{sizeof(T) + sizeof(I)};
  const auto predicted = bytes <= vector_bytes ? row_style::vector : row_style::vector_prefetch;
  if (a.nnz() >= analysis::long_mean * a.rows) return predicted;
  if (10 * seen.alike >= 9 * seen.rows && a.nnz() < fixed_lengths * a.rows && bytes <= vector_bytes)
    return row_style::regular;
  // The branch predictor remembers the lengths of some rows from one product to the next.
  if (a.rows <= remembered || 2 * seen.predicted >= seen.rows) return predicted;
  const index_t x_bytes = a.cols * index_t{sizeof(T)};
  if (x_bytes > prefetch_x_bytes) return row_style::scalar_prefetch_x;
  if (10 * seen.short_rows < 7 * seen.rows) return row_style::scalar;
  const bool short_mean = a.nnz() <= short_length<T> * a.rows;
  return short_mean || x_bytes <= products_first_bytes ? row_style::products_first : predicted;
}

}  // namespace gossamer
