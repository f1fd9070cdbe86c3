// The clock of everything that is timed on a device, ours and the peers' alike: events around the
// work, on a stream that is held until the work is queued whole, and caches that can be emptied.
#pragma once

#include <memory>

namespace gossamer::bench {

class device_clock {
 public:
  /// For work on this cudaStream_t of the current device. Throws std::runtime_error with the
  /// reason.
  explicit device_clock(void* stream);
  device_clock(const device_clock&) = delete;
  device_clock& operator=(const device_clock&) = delete;
  ~device_clock();

  /// Seconds between two events around what `work` put on the stream; waits for its end. Where the
  /// host must wait for the device within the work, the gaps count.
  template <class Work>
  double time(Work&& work) {
    start();
    work();
    return stop();
  }
  /// Reads more than the L2 holds, in the order of the stream.
  void sweep();

 private:
  void start();
  double stop();
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace gossamer::bench
