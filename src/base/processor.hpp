// The processor as the files of the kernel describe it: /proc/cpuinfo, /sys/devices/system/cpu.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

#include "gossamer/machine.hpp"

namespace gossamer {

/// The name in /proc/cpuinfo. Arm processors have none there, so theirs is the numbers of
/// implementer and part.
std::string processor_name(std::istream& cpuinfo);

/// Whether /proc/cpuinfo shows the flag of a processor that a hypervisor has made.
bool is_virtual(std::istream& cpuinfo);

/// A data cache.
struct cache_facts {
  index_t bytes = 0;  ///< 0: not known
  int cores = 1;      ///< logical processors of this system that share it
};
/// The data cache of this level by the files in `folder` (/sys/devices/system/cpu/cpu0/cache).
cache_facts cache_of(const std::filesystem::path& folder, int level);

/// The numbers in a list of processors as the kernel writes it ("0-3,8,10-11"), counted; 0 for
/// anything else.
int count_processors(std::string_view list);

/// Bytes of a last-level cache that we may count on. A virtual machine is often told the size of
/// the host's whole cache and a few of the cores that share it: the others belong to somebody else.
index_t usable_cache(const cache_facts& found, bool virtual_machine);

/// What was measured on processors of the maker that this name tells (docs/notes/choice-cpu.md).
/// Unknown ones are taken for one with slow gathers, which is the more careful guess.
spmv_costs assumed_spmv_costs(std::string_view cpu);

}  // namespace gossamer
