#include "kernels/spmv/cuda/copies/narrow_entries.cuh"

#include "backends/cuda/greatest.cuh"
#include "base/lost_bits.hpp"

namespace gossamer::device {

bool are_floats(const context& where, const double* values, index_t count) {
  return 0 ==
         cuda::greatest(where, count, "looking for values that need a double",
                        [=] __device__(index_t i) -> index_t { return lost_bits(values[i]) != 0; });
}

}  // namespace gossamer::device
