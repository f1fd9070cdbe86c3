#include "bench/race/world.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "gossamer/machine.hpp"
#include "gossamer/memory.hpp"

namespace gossamer::bench {

namespace {

double seconds_by(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// "VmHWM:   1234 kB" of /proc/self/status, in bytes; negative when it is not there.
index_t status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != field + ":") continue;
    index_t kilobytes = -1;
    status >> kilobytes;
    return kilobytes < 0 ? -1 : kilobytes * 1024;
  }
  return -1;
}

/// Flushes the caches by reading and writing twice the last-level cache.
void sweep_caches() {
  static std::vector<char> broom(static_cast<std::size_t>(
      std::clamp<index_t>(2 * this_machine().l3_reported, 32 << 20, 1 << 30)));
  constexpr std::size_t line = 64;
  for (std::size_t i = 0; i < broom.size(); i += line) ++broom[i];
}

}  // namespace

this_world::this_world() {
  // Large blocks come from the heap, too, and the heap does not shrink by itself.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}

double this_world::wall() { return seconds_by(CLOCK_MONOTONIC); }

moment this_world::now() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return {wall(), seconds_by(CLOCK_THREAD_CPUTIME_ID), used.ru_nivcsw};
}

void this_world::make_cold() {
  sweep_caches();
  malloc_trim(0);
  release_memory();
}

void this_world::peak_begin() {
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts at the current size
  resident_before_ = status_bytes("VmRSS");
}

std::optional<index_t> this_world::peak_growth() {
  const index_t peak = status_bytes("VmHWM");
  if (peak < 0 || resident_before_ < 0) return {};
  return std::max<index_t>(peak - resident_before_, 0);
}

busy_watch::busy_watch() : start_(read()) {}

busy_watch::ticks busy_watch::read() {
  std::ifstream stat("/proc/stat");
  std::string cpu;
  stat >> cpu;
  ticks seen;
  double value = 0;
  for (int field = 0; field < 8 && stat >> value; ++field) {
    seen.total += value;
    if (field == 3 || field == 4) seen.idle += value;
    if (field == 7) seen.stolen += value;
  }
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  seen.own =
      (seconds(used.ru_utime) + seconds(used.ru_stime)) * static_cast<double>(sysconf(_SC_CLK_TCK));
  return seen;
}

disturbance busy_watch::so_far() const {
  const ticks now = read();
  const double total = now.total - start_.total;
  if (total <= 0) return {};
  const double stolen = now.stolen - start_.stolen;
  const double busy = total - (now.idle - start_.idle) - stolen - (now.own - start_.own);
  return {std::clamp(busy / total, 0.0, 1.0), std::clamp(stolen / total, 0.0, 1.0)};
}

}  // namespace gossamer::bench
