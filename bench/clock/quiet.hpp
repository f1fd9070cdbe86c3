// Makes times on a stream comparable: caches are flushed by reading, so that no dirty lines are
// left for the next kernel to write back, and the stream is kept busy until all work is queued, so
// that the host's launches are not timed.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace gossamer::bench {

/// Reads `bytes` at `data` once; with twice the L2, no operand stays in it.
void sweep_by_reading(const void* data, std::size_t bytes, cudaStream_t stream);

/// Keeps the stream waiting for about this long, on one thread.
void hold(double microseconds, cudaStream_t stream);

}  // namespace gossamer::bench
