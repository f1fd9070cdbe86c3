// The race measures the contestants of one product, interleaved, until their times are known. A
// disturbance affects all alike; a sample during which the process was preempted is repeated.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "bench/race/contestant.hpp"
#include "bench/race/world.hpp"

namespace gossamer::bench {

struct rules {
  int least_rounds = 5, most_rounds = 51, cold_rounds = 3;
  double spread = 0.02;          ///< a median with this relative spread is settled
  double seconds = 3;            ///< for the timed part of a case
  double sample_seconds = 2e-3;  ///< short products are called this long per sample
  /// Slower than this many times the fastest that does the same: one warm sample is enough.
  double left_behind = 20;
};

struct series {
  std::vector<double> seconds;  ///< per call
  index_t calls_per_sample = 1;
  int disturbed = 0;  ///< samples kept although the process was preempted, three times in a row
};

/// A checked contestant with its measurements.
struct lane {
  contestant* who = nullptr;
  int threads = 1;
  bool sparse = false;  ///< its result is freed between calls, untimed
  bool refill = false;  ///< numeric phase only: not compared with whole products
  series cold = {}, warm = {};
  std::optional<index_t> peak = {};  ///< growth of memory during a cold call, or of the device's
};

/// Called between samples; may throw to end the race.
using breath = std::function<void()>;

void race(std::span<lane> lanes, const rules& by, world& in, const breath& between = {});

/// Whether a sample was disturbed by other processes. Each preemption costs about a millisecond,
/// and a preempted thread has less CPU time than wall time.
bool disturbed(const moment& before, const moment& after, int threads);

}  // namespace gossamer::bench
