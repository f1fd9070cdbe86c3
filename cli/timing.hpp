// Wall-clock time, and what is said about repeated measurements.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace gossamer::cli {

class stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(clock::now() - start_).count(); }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point start_ = clock::now();
};

template <class Work>
double seconds_of(Work&& work) {
  const stopwatch watch;
  work();
  return watch.seconds();
}

/// The smallest sample is the least disturbed one; the median is what a user will see.
struct samples {
  std::vector<double> seconds;

  bool empty() const { return seconds.empty(); }
  double min() const { return *std::min_element(seconds.begin(), seconds.end()); }
  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }
};

}  // namespace gossamer::cli
