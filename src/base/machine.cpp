#include "gossamer/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/container.hpp"
#include "base/parallel.hpp"
#include "base/processor.hpp"
#include "base/simd_level.hpp"

namespace gossamer {

namespace {

// 0 or -1 when glibc does not know.
index_t system_value(int key, index_t otherwise) {
  const long found = sysconf(key);
  return found > 0 ? found : otherwise;
}

std::string cpu_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  return processor_name(cpuinfo);
}

// glibc asks an x86-64 itself; on an Arm it does not know, and sysfs mostly does.
index_t cache_size(int key, int level, index_t otherwise) {
  if (const long found = sysconf(key); found > 0) return found;
  const index_t found = cache_bytes("/sys/devices/system/cpu/cpu0/cache", level);
  return found > 0 ? found : otherwise;
}

machine look() {
  machine found;
  found.cpu = cpu_name();
  found.cores = detail::default_threads();
  found.l1 = cache_size(_SC_LEVEL1_DCACHE_SIZE, 1, 32 << 10);
  found.l2 = cache_size(_SC_LEVEL2_CACHE_SIZE, 2, 1 << 20);
  found.l3 = cache_size(_SC_LEVEL3_CACHE_SIZE, 3, 16 << 20);
  found.memory = system_value(_SC_PHYS_PAGES, 0) * system_value(_SC_PAGESIZE, 4096);
  if (const auto allowed = container_memory()) found.memory = std::min(found.memory, *allowed);
  found.simd = name(simd().used());
  found.simd_processor = name(simd().processor);
  if (simd().cap) found.simd_cap = name(*simd().cap);
  // Assumptions good enough to rank kernels; measure_machine() replaces them.
  found.bandwidth_one = 12e9;
  found.bandwidth_all = 12e9 * std::min(found.cores, 8);
  return found;
}

}  // namespace

const machine& this_machine() {
  static const machine found = look();
  return found;
}

double machine::bandwidth(int threads) const {
  return std::min(bandwidth_one * threads, bandwidth_all);
}

machine measure_machine() {
  machine found = this_machine();
  found.bandwidth_one = measure_stream(1).triad;
  found.bandwidth_all = found.cores > 1 ? measure_stream(found.cores).triad : found.bandwidth_one;
  found.measured = true;
  return found;
}

}  // namespace gossamer
