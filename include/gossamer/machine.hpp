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

/// What the parts of a product y = A x cost one core where its operands are in a cache, in seconds.
/// The defaults are those of a Zen 4; docs/notes/choice-cpu.md says how they were found.
struct spmv_costs {
  double entry = 0.3e-9;             ///< a nonzero of a row of CSR
  double row = 0.4e-9;               ///< a row of CSR: bounds, loop, store
  double surprise = 0.5e-9;          ///< a row with an irregular end that the processor remembers
  double misprediction = 2.5e-9;     ///< a row with an irregular end that it does not remember
  double masked_row = 2.0e-9;        ///< a row where most ends are irregular: other loops
  double x_line = 0.6e-9;            ///< a cache line of x from the L2
  double straight_slot = 0.8e-9;     ///< a slot of SELL (64 bytes of values) whose x is loaded
  double gathered_entry = 0.42e-9;   ///< a nonzero in a slot of SELL whose x is gathered
  double group = 6e-9;               ///< a group of rows of SELL
  double moved_row = 0.9e-9;         ///< a row of SELL that is not in the order of the matrix
  index_t remembered_rows = 20'000;  ///< rows whose ends the processor remembers between products
};

/// The host, and perhaps a device.
struct machine {
  std::string cpu;
  int cores = 1;                          ///< logical processors this process may use
  index_t l1 = 0, l2 = 0;                 ///< bytes, per core
  index_t l3 = 0;                         ///< bytes of one last-level cache that we may count on
  index_t l3_reported = 0;                ///< bytes of it by what the system says
  int l3_cores = 1;                       ///< logical processors of this system that share it
  bool virtual_machine = false;           ///< others may use its caches, too
  index_t memory = 0;                     ///< bytes of RAM, or what the container allows of it
  std::string simd;                       ///< vector level used: portable, avx2, avx512
  std::string simd_processor;             ///< widest level of processor and build
  std::string simd_cap;                   ///< GOSSAMER_SIMD of the environment; empty: not set
  double bandwidth_one = 0;               ///< bytes/s, one thread
  double bandwidth_all = 0;               ///< bytes/s, all cores
  double l2_bandwidth = 60e9;             ///< bytes/s of one core from its L2
  double l3_bandwidth = 30e9;             ///< bytes/s of one core from the last-level cache
  spmv_costs spmv = {};                   ///< for the choice of a kernel for y = A x
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
