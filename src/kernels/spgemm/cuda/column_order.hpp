// How the columns of B lie: whether they ascend, and how they are distributed.
#pragma once

#include "kernels/spgemm/cuda/row_work.hpp"

namespace gossamer::device {

/// One number on the device: how many columns of B do not ascend strictly within their row. Queued.
buffer<unsigned long long> count_disorder(const context&, const product_structure&);

/// Up to 4,096 columns of B, spread over its nonzeros, in ascending order. Queued.
buffer<std::uint64_t> sample_columns(const context&, const product_structure&);

}  // namespace gossamer::device
