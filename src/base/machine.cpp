#include "gossamer/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/parallel.hpp"
#include "base/simd_level.hpp"

namespace gossamer {

namespace {

// glibc answers from cpuid or sysfs; 0 or -1 when it does not know.
index_t system_value(int key, index_t otherwise) {
  const long found = sysconf(key);
  return found > 0 ? found : otherwise;
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown CPU";
}

machine look() {
  machine found;
  found.cpu = cpu_name();
  found.cores = detail::default_threads();
  found.l1 = system_value(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
  found.l2 = system_value(_SC_LEVEL2_CACHE_SIZE, 1 << 20);
  found.l3 = system_value(_SC_LEVEL3_CACHE_SIZE, 16 << 20);
  found.memory = system_value(_SC_PHYS_PAGES, 0) * system_value(_SC_PAGESIZE, 4096);
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
