// For builds without CUDA: nothing can be timed on a device.
#include <stdexcept>

#include "bench/clock/device_clock.hpp"
#include "bench/clock/flat_pass.hpp"

namespace gossamer::bench {

namespace {

[[noreturn]] void throw_absent() {
  throw std::runtime_error("this build of Gossamer has no CUDA backend");
}

}  // namespace

struct device_clock::parts {};

device_clock::device_clock(void*) { throw_absent(); }
device_clock::~device_clock() = default;
void device_clock::start() {}
double device_clock::stop() { return -1; }
void device_clock::sweep() {}

void launch_flat_pass(const flat_arrays<float>&, flat_order, void*) { throw_absent(); }
void launch_flat_pass(const flat_arrays<double>&, flat_order, void*) { throw_absent(); }

}  // namespace gossamer::bench
