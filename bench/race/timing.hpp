// Wall-clock time of simple operations; comparisons are timed by the race.
#pragma once

#include <chrono>

namespace gossamer::bench {

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

}  // namespace gossamer::bench
