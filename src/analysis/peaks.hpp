// Peak bytes of each SpGEMM algorithm, from the sizes of the product alone.
#pragma once

#include <vector>

#include "gossamer/analysis.hpp"

namespace gossamer::analysis {

struct product_sizes {
  extents shape;    ///< shape of C
  index_t nnz = 0;  ///< nnz of C, or an upper bound
  index_t flop = 0;
  index_t most_products = 0;  ///< most multiplications of any row
  index_t longest_row = 0;    ///< longest row of A
  index_t left_nnz = 0;       ///< nonzeros of A
  value_type values = value_type::f64;
  int threads = 1;
};

/// adaptive hash heap spa pb esc. Each is beyond the operands and includes C.
std::vector<algorithm_bytes> peak_bytes(const product_sizes& sizes);

index_t adaptive_bytes(const product_sizes& sizes);
index_t hash_bytes(const product_sizes& sizes);
index_t heap_bytes(const product_sizes& sizes);
index_t spa_bytes(const product_sizes& sizes);
index_t pb_bytes(const product_sizes& sizes);
index_t esc_bytes(const product_sizes& sizes);

}  // namespace gossamer::analysis
