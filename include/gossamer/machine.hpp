// The machine as the cost model sees it: processors, caches, bandwidths.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gossamer/types.hpp"

namespace gossamer {

/// A CUDA device as the cost model sees it.
struct gpu {
  std::string name;
  int multiprocessors = 1;
  int compute_capability = 0;    ///< 90 is 9.0
  index_t l2 = 0;                ///< bytes
  index_t memory = 0;            ///< bytes
  index_t shared_per_block = 0;  ///< largest shared memory of a thread block, bytes
  double bandwidth = 0;          ///< bytes/s of its memory, assumed from clock and width
  double l2_bandwidth = 0;       ///< bytes/s of its L2, assumed
};

/// The host, and perhaps a device.
struct machine {
  std::string cpu;
  int cores = 1;                          ///< logical processors this process may use
  index_t l1 = 0, l2 = 0, l3 = 0;         ///< bytes; l1 and l2 per core, l3 per socket
  index_t memory = 0;                     ///< bytes of RAM, or what the container allows of it
  std::string simd;                       ///< vector level used: portable, avx2, avx512
  std::string simd_processor;             ///< widest level of processor and build
  std::string simd_cap;                   ///< GOSSAMER_SIMD of the environment; empty: not set
  double bandwidth_one = 0;               ///< bytes/s, one thread
  double bandwidth_all = 0;               ///< bytes/s, all cores
  bool measured = false;                  ///< bandwidths measured here, not assumed
  std::optional<gossamer::gpu> gpu = {};  ///< the device of a CUDA context

  /// Memory bandwidth of `threads` threads together, bytes/s.
  double bandwidth(int threads) const;
};

/// Describes the machine from what the system reports; bandwidths are assumed, not measured.
/// Computed once per process.
const machine& this_machine();

/// Bandwidths of the four STREAM loops.
struct stream_result {
  int threads = 1;
  double copy = 0, scale = 0, add = 0, triad = 0;  ///< bytes/s, best of several
};
/// Runs STREAM with arrays well beyond the last-level cache: takes about half a second.
stream_result measure_stream(int threads);
/// this_machine() with measured bandwidths instead of assumed ones.
machine measure_machine();

}  // namespace gossamer
