// A question to all of [0, count), asked in parallel.
#pragma once

#include <atomic>

#include "base/parallel.hpp"

namespace gossamer {

/// Whether f(begin, end) is true for every range of about `grain` numbers.
template <class F>
bool parallel_all(int threads, index_t count, index_t grain, F&& f) {
  std::atomic<bool> all{true};
  parallel_ranges(threads, count, grain, [&](index_t begin, index_t end) {
    if (all.load(std::memory_order_relaxed) && !f(begin, end))
      all.store(false, std::memory_order_relaxed);
  });
  return all.load();
}

}  // namespace gossamer
