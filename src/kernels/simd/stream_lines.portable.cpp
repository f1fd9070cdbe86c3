// Plain copies: C++ has no streaming stores, and the processor may see the pattern by itself.
#include "kernels/simd/stream_lines.hpp"

#include <cstring>

namespace gossamer {

void stream_lines(void* to, const void* from, index_t bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

void stream_fence() {}

}  // namespace gossamer
