// Which problems kernels for row-major B and C take.
#pragma once

#include "plan/problem.hpp"

namespace gossamer::device {

/// One column is contiguous either way.
inline bool by_rows(const problem& p) {
  return p.result.cols == 1 ||
         (p.dense.b_order == layout::row_major && p.dense.result_order == layout::row_major);
}

}  // namespace gossamer::device
