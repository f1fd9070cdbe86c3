// Helpers of the conversions on a device: values are scaled exactly as on the host.
#pragma once

#include "backends/cuda/arithmetic.cuh"
#include "backends/cuda/indices.cuh"
#include "backends/cuda/launch.cuh"
#include "backends/cuda/primitives.hpp"
#include "convert/conversions.hpp"

namespace gossamer::cuda {

/// Bits needed for numbers in [0, count).
inline int bits_for(index_t count) {
  int bits = 0;
  while (bits < 63 && (index_t{1} << bits) < count) ++bits;
  return bits;
}

/// The row of each nonzero, in the width that the rows need.
inline index_buffer rows_of_entries(const context& where, index_view offsets, extents shape,
                                    index_t nnz) {
  index_buffer rows(nnz, narrowest(shape, 0).indices, where.memory());
  lines_of_entries(where, offsets, rows.view());
  return rows;
}

}  // namespace gossamer::cuda
