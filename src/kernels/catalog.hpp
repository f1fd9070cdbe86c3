// Every kernel of this build, in order. Listing a kernel here puts it under the conformance suite,
// the command line's list, the docs table and the benchmarks.
#pragma once

#include "plan/kernel.hpp"

namespace gossamer {

catalogue all_kernels();

/// Those of the CUDA backend; none in a build without it.
catalogue cuda_kernels();

}  // namespace gossamer
