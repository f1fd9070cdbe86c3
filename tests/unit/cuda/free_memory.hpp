// Whether a test that needs much memory can run.
#pragma once

#include <cuda_runtime_api.h>
#include <unistd.h>

#include "gossamer/types.hpp"

namespace gossamer {

inline bool has_memory(index_t bytes) {
  std::size_t free = 0, total = 0;
  return cudaMemGetInfo(&free, &total) == cudaSuccess && static_cast<index_t>(free) > bytes;
}

inline bool host_has_memory(index_t bytes) {
  return index_t{sysconf(_SC_AVPHYS_PAGES)} * index_t{sysconf(_SC_PAGESIZE)} > bytes;
}

}  // namespace gossamer
