// The race: contestants on one product take turns until their times are known. A disturbance hits
// all alike; a sample during which the process was put aside is taken again.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "bench/race/contestant.hpp"
#include "bench/race/world.hpp"

namespace gossamer::bench {

struct rules {
  int least_rounds = 5, most_rounds = 51, cold_rounds = 3;
  double spread = 0.02;          ///< a median this well known (relative_spread) is settled
  double seconds = 3;            ///< for the timed part of a case
  double sample_seconds = 2e-3;  ///< short products are called this long per sample
  /// Slower than this many times the fastest that does the same: one warm sample is enough.
  double left_behind = 20;
};

struct series {
  std::vector<double> seconds;  ///< per call
  index_t calls_per_sample = 1;
  int disturbed = 0;  ///< samples kept although the process was put aside, three times in a row
};

/// A contestant that has been checked, and what the race found out about it.
struct lane {
  contestant* who = nullptr;
  int threads = 1;
  bool sparse = false;  ///< its result is freed between calls, outside the clock
  bool refill = false;  ///< fills a result whose structure is known: no match for whole products
  series cold = {}, warm = {};
  std::optional<index_t> peak = {};  ///< growth of memory during a cold call
};

/// Called between samples; may throw to end the race.
using breath = std::function<void()>;

void race(std::span<lane> lanes, const rules& by, world& in, const breath& between = {});

/// Was a sample of this length spoilt by other processes? Each interruption costs about a
/// millisecond, and a thread that was put aside ran for less than the wall clock says.
bool disturbed(const moment& before, const moment& after, int threads);

}  // namespace gossamer::bench
