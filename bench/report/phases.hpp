// Phases measured by kernels, summed over cases: where the time of a product goes, and how close
// each phase comes to the memory bandwidth.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/report/results.hpp"

namespace gossamer::bench {

struct phased_case {
  const raced_case* from = nullptr;
  double triad = 0;  ///< STREAM triad with its threads, bytes/s; 0: not known
};

struct phase_total {
  std::string kernel, name;
  std::size_t cases = 0;
  double seconds = 0, bytes = 0;
  double at_triad = 0;      ///< seconds that its bytes would take
  double all_seconds = 0;   ///< of all phases of the kernel
  bool triad_known = true;  ///< in all cases
  /// Bytes per second.
  double rate() const { return seconds > 0 ? bytes / seconds : 0; }
  /// Share of the triad.
  std::optional<double> share() const;
};

/// The phases of whole products on the host, kernels and phases in order of occurrence. A kernel
/// counts once per case: under its own name, or as the choice where only that ran.
std::vector<phase_total> phases_of(std::span<const phased_case> cases);

/// STREAM's triad with this many threads in the file; 0 if it has none.
double triad_of(const results& file, int threads);

}  // namespace gossamer::bench
