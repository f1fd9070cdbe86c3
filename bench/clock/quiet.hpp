// What makes times on a stream comparable: caches swept by reading, so that nothing dirty is left
// for the next kernel to write back, and a stream that is busy until everything to be timed is
// queued, so that the host's launches are not part of the time.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace gossamer::bench {

/// Reads `bytes` at `data` once; with twice the L2, nothing of an operand stays in it.
void sweep_by_reading(const void* data, std::size_t bytes, cudaStream_t stream);

/// Keeps the stream waiting for about this long, on one thread.
void hold(double microseconds, cudaStream_t stream);

}  // namespace gossamer::bench
