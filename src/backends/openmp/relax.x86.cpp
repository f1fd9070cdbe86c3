#include "backends/openmp/relax.hpp"

namespace gossamer::detail {

void relax() { __builtin_ia32_pause(); }

}  // namespace gossamer::detail
