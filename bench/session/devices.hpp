// Accelerators of this machine, by the probes that were built (device_probe.hpp).
#pragma once

#include "bench/records/json.hpp"

namespace gossamer::bench {

/// One object per device: name, sizes, versions, measured rates. Empty when there is no probe, or
/// no device; `why_not` tells which.
json describe_devices(std::string* why_not = nullptr);

}  // namespace gossamer::bench
