// The world is the machine as the race sees it: clocks, memory, caches. Tests replace it by a
// simulation.
#pragma once

#include <optional>

#include "gossamer/machine.hpp"

namespace gossamer::bench {

/// Counters at one moment; only differences are meaningful.
struct moment {
  double wall = 0;            ///< seconds
  double cpu = 0;             ///< seconds this thread was running
  index_t interruptions = 0;  ///< involuntary context switches of all threads of this process
};

class world {
 public:
  virtual ~world() = default;
  /// Seconds by the wall clock, at the least cost.
  virtual double wall() = 0;
  virtual moment now() = 0;
  /// Returns free memory to the system and flushes the caches: the next call is like a first call.
  virtual void make_cold() = 0;
  virtual stream_result bandwidth(int threads) = 0;
  /// The largest growth of the process's memory since peak_begin(); empty when nobody can tell.
  virtual void peak_begin() {}
  virtual std::optional<index_t> peak_growth() { return {}; }
};

/// This machine. Freed memory stays with the process during the lifetime of this object, for every
/// allocator, so that warm calls find warm pages with every library; make_cold() returns it.
class this_world final : public world {
 public:
  this_world();
  double wall() override;
  moment now() override;
  void make_cold() override;
  stream_result bandwidth(int threads) override { return measure_stream(threads); }
  void peak_begin() override;
  std::optional<index_t> peak_growth() override;

 private:
  index_t resident_before_ = 0;
};

/// Load by others between two moments: shares of all cores' time.
struct disturbance {
  double others = 0;  ///< other processes
  double stolen = 0;  ///< taken by the host of a virtual machine
};
class busy_watch {
 public:
  busy_watch();
  disturbance so_far() const;

 private:
  struct ticks {
    double total = 0, idle = 0, stolen = 0, own = 0;
  };
  static ticks read();
  ticks start_;
};

}  // namespace gossamer::bench
