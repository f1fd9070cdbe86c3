// Times of the phases of a product on a device, by events between them; costs nothing where nobody
// asks.
#pragma once

#include <string>
#include <vector>

#include "backends/cuda/check.hpp"
#include "gossamer/context.hpp"
#include "gossamer/plan.hpp"

namespace gossamer::device {

class phase_clock {
 public:
  /// Starts now. Measures nothing when `to` is null.
  phase_clock(const context& where, std::vector<phase>* to);
  phase_clock(const phase_clock&) = delete;
  phase_clock& operator=(const phase_clock&) = delete;
  ~phase_clock();

  /// What was queued since the last mark (or the start) belongs to this phase, which had to move
  /// `bytes`. A phase may have several parts: they add up.
  void mark(const char* name, double bytes);
  /// Waits for the last mark, and appends the phases in the order of their first marks.
  void finish();

 private:
  struct stop {
    const char* name;
    double bytes;
    cudaEvent_t event;
  };
  void record(const char* name, double bytes);

  context where_;
  std::vector<phase>* to_;
  std::vector<stop> stops_;
};

}  // namespace gossamer::device
