// Streaming stores of SSE2, which every x86-64 has.
#include "kernels/simd/stream_lines.hpp"

#include <emmintrin.h>

namespace gossamer {

void stream_lines(void* to, const void* from, index_t bytes) {
  auto* out = static_cast<__m128i*>(to);
  const auto* in = static_cast<const __m128i*>(from);
  for (index_t k = 0; k < bytes / 16; ++k) _mm_stream_si128(out + k, _mm_loadu_si128(in + k));
}

void stream_fence() { _mm_sfence(); }

}  // namespace gossamer
