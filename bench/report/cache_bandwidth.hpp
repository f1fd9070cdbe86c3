// Read bandwidth of each level of the memory hierarchy: every thread repeatedly sums a private
// array, from 8 KB to four times the last-level cache.
#pragma once

#include <vector>

#include "gossamer/machine.hpp"

namespace gossamer::bench {

struct cache_sample {
  index_t bytes = 0;            ///< read again and again by each thread
  double bytes_per_second = 0;  ///< all threads together, best of several
};

struct cache_bandwidth {
  int threads = 1;
  std::vector<cache_sample> sweep;            ///< by size
  double l1 = 0, l2 = 0, l3 = 0, memory = 0;  ///< the best well inside a level; 0: no such level
};

/// About a second per call.
cache_bandwidth measure_caches(int threads);

/// Attributes a sweep to the levels of a machine: sizes that fill at most three quarters of a level
/// and exceed the one before by half belong to it. L3 is shared by the threads; memory is the
/// largest set.
cache_bandwidth by_level(int threads, std::vector<cache_sample> sweep, const machine& here);

}  // namespace gossamer::bench
