// Every kernel of this build, in order. A line in src/kernels/CMakeLists.txt lists a kernel, which
// puts it under the conformance suite and into the choice, the command line, the docs table and the
// benchmarks.
#pragma once

#include "plan/kernel.hpp"

namespace gossamer {

/// A kernel and the id given by its path.
struct listed_kernel {
  std::string_view id;
  const kernel* listed;
};

/// The list of src/kernels/CMakeLists.txt, restricted to kernels of this build.
std::span<const listed_kernel> kernel_list();

catalogue all_kernels();

}  // namespace gossamer
