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

bool on_virtual_machine() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  return is_virtual(cpuinfo);
}

// sysfs first: of an L3, sysconf may tell the sum of all that a socket has, and on an Arm nothing.
cache_facts cache(int key, int level, index_t otherwise) {
  const auto found = cache_of("/sys/devices/system/cpu/cpu0/cache", level);
  if (found.bytes > 0) return found;
  return {system_value(key, otherwise), detail::default_threads()};
}

machine look() {
  machine found;
  found.cpu = cpu_name();
  found.cores = detail::default_threads();
  found.virtual_machine = on_virtual_machine();
  found.l1 = cache(_SC_LEVEL1_DCACHE_SIZE, 1, 32 << 10).bytes;
  found.l2 = cache(_SC_LEVEL2_CACHE_SIZE, 2, 1 << 20).bytes;
  const auto last = cache(_SC_LEVEL3_CACHE_SIZE, 3, 16 << 20);
  found.l3 = usable_cache(last, found.virtual_machine);
  found.l3_reported = last.bytes;
  found.l3_cores = last.cores;
  found.memory = system_value(_SC_PHYS_PAGES, 0) * system_value(_SC_PAGESIZE, 4096);
  if (const auto allowed = container_memory()) found.memory = std::min(found.memory, *allowed);
  found.simd = name(simd().used());
  found.simd_processor = name(simd().processor);
  if (simd().cap) found.simd_cap = name(*simd().cap);
  // Assumptions good enough to rank kernels; measure_machine() replaces them.
  found.spmv = assumed_spmv_costs(found.cpu);
  found.bandwidth_one = 18e9;
  found.bandwidth_all = 18e9 * std::min(found.cores, 6);
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
