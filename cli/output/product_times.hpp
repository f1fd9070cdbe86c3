// What the parts of one product took, and how that is told.
#pragma once

#include <vector>

#include "bench/race/statistics.hpp"
#include "cli/output/report.hpp"

namespace gossamer::cli {

/// Seconds of everything that was done.
struct spent {
  double read = 0, convert = 0, prepare = 0, first = 0, check = 0, write = 0;
  std::vector<double> warm;
  /// What a caller with a warm cache would see, when it was measured.
  double typical() const { return warm.empty() ? first : bench::median(warm); }
};

json describe_times(const spent& times);
/// `result` is what the command reports as JSON.
void print_times(const json& result, const spent& times);

}  // namespace gossamer::cli
