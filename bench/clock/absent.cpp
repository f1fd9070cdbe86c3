// A build without CUDA: nothing to be timed on a device.
#include <stdexcept>

#include "clock/device_clock.hpp"

namespace gossamer::bench {

struct device_clock::parts {};

device_clock::device_clock(void*) {
  throw std::runtime_error("this build of Gossamer has no CUDA backend");
}
device_clock::~device_clock() = default;
void device_clock::start() {}
double device_clock::stop() { return -1; }
void device_clock::sweep() {}

}  // namespace gossamer::bench
