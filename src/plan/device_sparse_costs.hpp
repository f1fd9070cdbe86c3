// Predictions for sparse products on a device. They rest on shapes and nonzeros: multiplications
// are not counted there before a kernel is chosen.
#pragma once

#include <algorithm>

#include "plan/costs.hpp"

namespace gossamer::costs {

/// Multiplications if the columns of A were spread evenly over the rows of B.
inline double expected_products(const problem& p) {
  return static_cast<double>(p.a.nnz) * static_cast<double>(p.b.nnz) /
         static_cast<double>(std::max<index_t>(p.b.shape.rows, 1));
}

/// Seconds per multiplication of spgemm/csr/esc/cuda: 32 bytes written and read by each of some six
/// passes of two radix sorts at half the bandwidth of an H200. A bound from the bytes, not a
/// measurement.
inline constexpr double device_esc_product = 0.25e-9;

/// Seconds per multiplication of spgemm/csr/adaptive/cuda: between those of meshes and of R-MAT.
inline constexpr double device_adaptive_product = 0.03e-9;

/// Seconds per multiplication of spgemm/csr/row_esc/cuda: twice those of the adaptive kernel, whose
/// sorts it shares. A guess, which decides nothing: the kernel runs only where it is named.
inline constexpr double device_row_esc_product = 0.06e-9;

}  // namespace gossamer::costs
