// Compares two files of results, before and after: what became faster or slower beyond the noise.
#pragma once

#include <string>
#include <vector>

#include "bench/race/statistics.hpp"
#include "bench/report/results.hpp"

namespace gossamer::bench {

/// The unit of comparison: seconds, or seconds over those of the peers that ran in both cases
/// (their geometric mean), which cancels the machine. `automatic`: ratios when the machines differ.
enum class yardstick { automatic, time, ratio };

struct comparison_request {
  double threshold = 0.05;  ///< changes below this share are not reported, however certain
  yardstick by = yardstick::automatic;
};

enum class verdict { same, faster, slower };

/// A measured value with the 95 % interval of its median.
struct measured {
  double value = 0;
  interval range;
};

/// A change counts when the intervals do not overlap and it exceeds the threshold either way:
/// after > before (1 + threshold) is slower, before > after (1 + threshold) is faster.
verdict judge(const measured& before, const measured& after, double threshold);

struct change {
  std::string title;       ///< "spgemm web, f64, 2 threads"
  std::string contestant;  ///< with its mode when that is not "whole"
  record_kind kind = record_kind::kernel;
  measured before, after;
  verdict outcome = verdict::same;
  bool by_ratio = false;
  double factor() const { return after.value / before.value; }  ///< more than 1: slower
};

struct comparison {
  bool same_machine = true;
  yardstick by = yardstick::time;  ///< time or ratio, as it was decided
  std::vector<std::string> peers;  ///< peers that served as unit in some case
  std::vector<change> changes;     ///< every pair; ours by factor, slowest first, then peers
  std::vector<std::string> only_old, only_new;
  /// Cases on different machines without a common peer: their times are not comparable.
  std::vector<std::string> incomparable;
  /// Number of our changes with that outcome; changes of peers do not count.
  std::size_t count(verdict outcome) const;
};

comparison compare(const results& before, const results& after, const comparison_request& asked);

}  // namespace gossamer::bench
