#include "backends/openmp/relax.hpp"

#include <atomic>

namespace gossamer::detail {

void relax() { std::atomic_signal_fence(std::memory_order_seq_cst); }

}  // namespace gossamer::detail
