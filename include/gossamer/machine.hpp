// The machine as the cost model sees it.
#pragma once

#include <string>
#include <vector>

#include "gossamer/types.hpp"

namespace gossamer {

struct machine {
  std::string cpu;
  int cores = 1;                   ///< logical processors this process may use
  index_t l1 = 0, l2 = 0, l3 = 0;  ///< bytes; l1 and l2 per core, l3 per socket
  index_t memory = 0;              ///< bytes of RAM
  std::string simd;                ///< widest vector extension: sse2, avx2, avx512
  double bandwidth_one = 0;        ///< bytes/s, one thread
  double bandwidth_all = 0;        ///< bytes/s, all cores
  bool measured = false;           ///< bandwidths measured here, not assumed

  /// Bytes/s that `threads` threads reach together.
  double bandwidth(int threads) const;
};

/// Fast: reads what the system says; bandwidths are assumptions. Computed once per process.
const machine& this_machine();

struct stream_result {
  int threads = 1;
  double copy = 0, scale = 0, add = 0, triad = 0;  ///< bytes/s, best of several
};
/// STREAM with arrays well beyond the last cache: takes about half a second.
stream_result measure_stream(int threads);
/// this_machine() with measured bandwidths.
machine measure_machine();

}  // namespace gossamer
