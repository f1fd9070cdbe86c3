#include "bench/race/race.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/race/statistics.hpp"

namespace gossamer::bench {

namespace {

constexpr double noticeable = 0.05;    // of a sample's length
constexpr double interruption = 1e-3;  // seconds, a scheduler's slice
constexpr int attempts = 3;

struct sample {
  double seconds = 0;  // per call
  bool disturbed = false;
};

double run_once(const lane& one, world& in) {
  const double start = in.wall();
  one.who->run();
  const double wall = in.wall() - start;
  const double device = one.who->device_seconds();
  return device >= 0 ? device : wall;
}

// Dense products are called repeatedly between two clock reads; sparse ones are timed one by one,
// since their results are freed in between, and so are contestants with a clock of their own.
double run_calls(const lane& one, index_t calls, world& in) {
  if (!one.sparse && one.who->device_seconds() < 0) {
    const double start = in.wall();
    for (index_t c = 0; c < calls; ++c) one.who->run();
    return (in.wall() - start) / static_cast<double>(calls);
  }
  double total = 0;
  for (index_t c = 0; c < calls; ++c) {
    one.who->forget();
    total += run_once(one, in);
  }
  return total / static_cast<double>(calls);
}

constexpr double slices = 10;  // length of a sample, in scheduler time slices

/// The approximate duration of a call. A short one is measured again: a disturbance would pass for
/// its duration, and a sample would then be a single call.
double length_of_call(const lane& one, double sample_seconds, world& in) {
  double least = run_calls(one, 1, in);
  for (int again = 1; again < attempts && least < slices * sample_seconds; ++again)
    least = std::min(least, run_calls(one, 1, in));
  return least;
}

template <class Timed>
sample undisturbed(const lane& one, world& in, Timed&& timed) {
  sample best;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const moment before = in.now();
    const double seconds = timed();
    const bool spoilt = one.who->device_seconds() < 0 && disturbed(before, in.now(), one.threads);
    if (attempt == 0 || seconds < best.seconds) best = {seconds, spoilt};
    if (!spoilt) return {seconds, false};
  }
  return {best.seconds, true};
}

void add(series& to, sample taken) {
  to.seconds.push_back(taken.seconds);
  to.disturbed += taken.disturbed ? 1 : 0;
}

void cold_sample(lane& one, world& in) {
  one.who->forget();
  in.make_cold();
  one.who->cool_down();
  in.peak_begin();
  const moment before = in.now();
  const double seconds = run_once(one, in);
  add(one.cold,
      {seconds, one.who->device_seconds() < 0 && disturbed(before, in.now(), one.threads)});
  const auto on_device = one.who->device_bytes();
  if (const auto grown = on_device ? on_device : in.peak_growth())
    one.peak = std::max(one.peak.value_or(0), *grown);
}

void warm_sample(lane& one, world& in) {
  add(one.warm,
      undisturbed(one, in, [&] { return run_calls(one, one.warm.calls_per_sample, in); }));
}

bool settled(const lane& one, double spread) {
  return one.warm.seconds.size() >= 3 && relative_spread(one.warm.seconds) <= spread;
}

/// Rounds that fit the time, but not fewer than `least` nor more than `most`.
int rounds_within(double seconds, double round, int least, int most) {
  return static_cast<int>(std::clamp(seconds / std::max(round, 1e-9), 1.0 * least, 1.0 * most));
}

}  // namespace

bool disturbed(const moment& before, const moment& after, int threads) {
  const index_t interruptions = after.interruptions - before.interruptions;
  if (interruptions == 0) return false;
  const double wall = after.wall - before.wall;
  const double idle = wall - (after.cpu - before.cpu);
  const double lost = static_cast<double>(interruptions) * interruption / std::max(threads, 1);
  return std::max(idle, lost) > noticeable * wall;
}

void race(std::span<lane> lanes, const rules& by, world& in, const breath& between) {
  if (lanes.empty()) return;
  const auto take_breath = [&] {
    if (between) between();
  };
  // Warm-up. The checked run may have loaded code and built tables: this one counts.
  std::vector<double> once;
  for (auto& one : lanes) {
    once.push_back(length_of_call(one, by.sample_seconds, in));
    take_breath();
  }
  double fastest[2] = {std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  for (std::size_t k = 0; k < lanes.size(); ++k)
    fastest[lanes[k].refill] = std::min(fastest[lanes[k].refill], once[k]);
  std::vector<lane*> field;
  double round = 0;
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    lane& one = lanes[k];
    one.warm.calls_per_sample = std::clamp<index_t>(
        static_cast<index_t>(std::ceil(by.sample_seconds / std::max(once[k], 1e-9))), 1, 100000);
    if (once[k] > by.left_behind * fastest[one.refill]) {
      one.warm.calls_per_sample = 1;
      warm_sample(one, in);  // the warm-up itself may have found cold memory
    } else {
      field.push_back(&one);
      round += std::max(once[k], by.sample_seconds);
    }
  }

  const int cold_rounds = rounds_within(by.seconds / 4, round, 1, by.cold_rounds);
  for (int r = 0; r < cold_rounds; ++r)
    for (auto* one : field) {
      cold_sample(*one, in);
      take_breath();
    }

  const double start = in.wall();
  const int least = rounds_within(by.seconds, round, std::min(3, by.least_rounds), by.least_rounds);
  for (int r = 0; r < by.most_rounds; ++r) {
    for (auto* one : field) {
      warm_sample(*one, in);
      take_breath();
    }
    if (r + 1 < least) continue;
    if (in.wall() - start > by.seconds) break;
    if (std::all_of(field.begin(), field.end(),
                    [&](const lane* one) { return settled(*one, by.spread); }))
      break;
  }
  for (auto& one : lanes) one.who->forget();
}

}  // namespace gossamer::bench
