// Times work on a device, for our kernels and the peers alike: events around the work, on a stream
// that is held until all of the work is queued, and caches that can be flushed.
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

  /// Seconds between two events around the work that `work` puts on the stream; waits for its end.
  /// If the host must wait for the device within the work, the gaps count.
  template <class Work>
  double time(Work&& work) {
    start();
    work();
    return stop();
  }
  /// Flushes the L2 by reading more than it holds, in stream order.
  void sweep();

 private:
  void start();
  double stop();
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace gossamer::bench
