// A 3 x 4 matrix one can multiply by hand, as the caller's own arrays.
#pragma once

#include "gossamer/gossamer.hpp"

namespace gossamer {

/// [ 1 0 2 0 ]
/// [ 0 0 0 0 ]
/// [ 0 3 0 4 ]
struct small_matrix {
  double values[4] = {1, 2, 3, 4};
  std::int32_t offsets[4] = {0, 2, 2, 4};
  std::int32_t columns[4] = {0, 2, 1, 3};
  csr_view<const double> view() const { return {values, offsets, columns, {3, 4}}; }
};

}  // namespace gossamer
