// Which algorithm of cusparseSpMM spmm/csr/vendor/cuda takes: a pure function, fitted to what an
// H200 measured (docs/kernels/spmm-cuda.md). No CUDA here, so that it can be tested anywhere.
#pragma once

#include "gossamer/types.hpp"

namespace gossamer::device {

struct vendor_facts {
  index_t columns = 0;
  int value_bytes = 4;
  double mean_row = 1, longest_row = 1;
  bool row_major = true;  ///< C
};

/// The number in CUSPARSE_SPMM_CSR_ALG1, 2 or 3. ALG3 shares out rows: a long one takes it up to
/// 12 times as long as the others. For column-major blocks ALG1 is what the manual recommends.
constexpr int vendor_algorithm(const vendor_facts& f) {
  if (f.columns <= 8 || !f.row_major) return 1;
  const bool even = f.longest_row <= 16 * f.mean_row;
  return f.columns <= 32 && f.value_bytes == 4 && even ? 3 : 2;
}

}  // namespace gossamer::device
