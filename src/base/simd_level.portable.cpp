// A build for a processor that is not an x86-64, or with GOSSAMER_SIMD=PORTABLE: every kernel has
// its portable variant only.
#include "base/simd_level.hpp"

namespace gossamer {

simd_level processor_simd() { return simd_level::portable; }

}  // namespace gossamer
