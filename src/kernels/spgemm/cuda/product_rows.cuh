// The operands of C = A B as device code sees them: two matrices by rows, and the arithmetic.
#pragma once

#include <cstdint>
#include <limits>

#include "backends/cuda/indices.cuh"
#include "kernels/common/cuda/device_sums.cuh"
#include "kernels/common/cuda/offset_reader.cuh"

namespace gossamer::device {

/// A sparse matrix by rows. Columns: const std::int32_t*, or cuda::index_reader for either width.
template <class T, class Columns>
struct sparse_rows {
  index_t rows, cols;
  offset_reader offsets;
  Columns columns;
  const T* values;
};

/// A and B have columns of one type. Where `b_ascends`, columns ascend strictly in every row of B.
template <class T, class Columns>
struct row_product {
  using value = T;
  sparse_rows<T, Columns> a, b;
  T alpha;
  bool b_ascends;
};

/// Columns of 32 bits.
template <class T>
using narrow_product = row_product<T, const std::int32_t*>;

/// Products and sums without contraction: the bits are those of the host.
__device__ inline float exact_product(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double exact_product(double a, double b) { return __dmul_rn(a, b); }

/// Ordinary arithmetic; every position is computed.
template <class T>
struct ordinary {
  static constexpr bool has_mask = false;
  __device__ T identity() const { return 0; }
  __device__ T multiply(T a, T b) const { return exact_product(a, b); }
  __device__ T add(T sum, T product) const { return sum + product; }
  __device__ bool admits(index_t, index_t) const { return true; }
};

/// The elements of an array from `begin` on, for cuda::first_not_below.
template <class Array>
struct array_from {
  const Array& array;
  index_t begin;
  __device__ index_t operator[](index_t i) const { return array[begin + i]; }
};

/// Any semiring, and perhaps a mask whose rows ascend.
template <class T>
struct general {
  static constexpr bool has_mask = true;
  semiring over;
  bool masked, complemented;
  offset_reader mask_offsets;
  cuda::index_reader mask_columns;

  __device__ T identity() const {
    switch (over) {
      case semiring::min_plus:
      case semiring::min_first:
      case semiring::min_second:
      case semiring::min_times: return std::numeric_limits<T>::infinity();
      case semiring::max_plus:
      case semiring::max_first:
      case semiring::max_second:
      case semiring::max_times:
      case semiring::max_min: return -std::numeric_limits<T>::infinity();
      default: return 0;
    }
  }
  __device__ T multiply(T a, T b) const {
    switch (over) {
      case semiring::min_plus:
      case semiring::max_plus: return a + b;
      case semiring::or_and: return a != T{0} && b != T{0} ? T{1} : T{0};
      case semiring::plus_pair:
      case semiring::any_pair: return 1;
      case semiring::plus_first:
      case semiring::min_first:
      case semiring::max_first: return a;
      case semiring::plus_second:
      case semiring::min_second:
      case semiring::max_second: return b;
      case semiring::max_min: return a != a || a < b ? a : b;
      default: break;
    }
    return exact_product(a, b);
  }
  /// NaN is absorbing in minima and maxima, as on the host.
  __device__ T add(T sum, T product) const {
    switch (over) {
      case semiring::min_plus:
      case semiring::min_first:
      case semiring::min_second:
      case semiring::min_times: return sum != sum || sum < product ? sum : product;
      case semiring::max_plus:
      case semiring::max_first:
      case semiring::max_second:
      case semiring::max_times:
      case semiring::max_min: return sum != sum || sum > product ? sum : product;
      case semiring::or_and: return product > sum ? product : sum;
      case semiring::any_pair: return product;
      default: break;
    }
    return sum + product;
  }
  /// Whether the mask lets this position through.
  __device__ bool admits(index_t row, index_t column) const {
    if (!masked) return true;
    const index_t begin = mask_offsets[row], count = mask_offsets[row + 1] - begin;
    const array_from<cuda::index_reader> columns{mask_columns, begin};
    const index_t at = cuda::first_not_below(columns, count, column);
    return (at < count && columns[at] == column) != complemented;
  }
};

/// Where the rows of C go. Counting: `counts` only. Filling: row i starts at place[i] of `columns`
/// and `values`.
template <class T>
struct row_target {
  index_t* counts;        ///< nonzeros of each row; may be null
  const index_t* places;  ///< null: count only
  cuda::index_writer columns;
  T* values;
  __device__ bool fills() const { return places != nullptr; }
};

/// A row of C whose multiplications were written to shared memory.
struct expanded_row {
  index_t row;
  int total;  ///< multiplications
};

/// The rows that one launch computes: a list, or all in order.
struct row_list {
  const index_t* rows;  ///< null: 0, 1, 2, ...
  index_t count;
  __device__ index_t operator[](index_t at) const { return rows ? rows[at] : at; }
};

}  // namespace gossamer::device
