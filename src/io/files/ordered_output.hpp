// Pieces computed in parallel, written in order.
#pragma once

#include <string>
#include <vector>

#include "io/files/atomic_file.hpp"

namespace gossamer::io {

/// Calls take(make(k)) for k in [0, pieces): make runs on all threads, a batch at a time, take in
/// order on the calling thread. The output does not depend on the number of threads.
template <class Make, class Take>
void in_order(index_t pieces, const write_options& how, Make&& make, Take&& take) {
  const int threads = threads_of(how.threads);
  const index_t batch = 4 * static_cast<index_t>(threads);
  std::vector<decltype(make(index_t{}))> finished(
      static_cast<std::size_t>(std::min(batch, pieces)));
  for (index_t first = 0; first < pieces; first += batch) {
    const auto size = std::min(batch, pieces - first);
    parallel_chunks(threads, size,
                    [&](index_t k) { finished[static_cast<std::size_t>(k)] = make(first + k); });
    for (index_t k = 0; k < size; ++k) take(finished[static_cast<std::size_t>(k)]);
    if (how.progress)
      how.progress("writing", static_cast<double>(first + size) / static_cast<double>(pieces));
  }
}

}  // namespace gossamer::io
