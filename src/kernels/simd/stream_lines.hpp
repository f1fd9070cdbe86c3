// Writing whole cache lines past the caches, for data that is not read again soon.
#pragma once

#include "gossamer/types.hpp"

namespace gossamer {

/// Copies whole lines; `to` is aligned to 64 bytes. Other threads see them after stream_fence().
void stream_lines(void* to, const void* from, index_t bytes);

/// Orders the lines this thread has streamed before its later stores.
void stream_fence();

}  // namespace gossamer
