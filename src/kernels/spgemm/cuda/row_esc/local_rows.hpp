// The launches of the thread, warp and block groups, by value type.
#pragma once

#include "kernels/spgemm/cuda/adaptive_rows.hpp"
#include "kernels/spgemm/cuda/row_esc/row_groups.hpp"

namespace gossamer::device {

/// Computes, or only counts, all rows but those of the global group.
template <class T>
void multiply_local_rows(const context&, const adaptive_operands<T>&, const row_work&,
                         const row_groups&, const adaptive_target<T>&);

}  // namespace gossamer::device
