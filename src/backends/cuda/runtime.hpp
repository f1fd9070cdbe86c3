// The CUDA backend as the rest of the library sees it: plain C++, implemented either by the
// backend or by absent.cpp.
#pragma once

#include <memory>
#include <string>

#include "gossamer/memory.hpp"

namespace gossamer::cuda {

/// Empty when a device can be used; else the reason, for people.
std::string why_not_available();

/// Memory of one device. Throws error(not_available) with the reason when there is none.
std::shared_ptr<memory_resource> device_memory(int device);

}  // namespace gossamer::cuda
