// The processor as the files of the kernel describe it: /proc/cpuinfo, /sys/devices/system/cpu.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "gossamer/types.hpp"

namespace gossamer {

/// The name in /proc/cpuinfo. Arm processors have none there, so theirs is the numbers of
/// implementer and part.
std::string processor_name(std::istream& cpuinfo);

/// Bytes of the data cache of this level by the files in `folder`
/// (/sys/devices/system/cpu/cpu0/cache); 0 if they do not say.
index_t cache_bytes(const std::filesystem::path& folder, int level);

}  // namespace gossamer
