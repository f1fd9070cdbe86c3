#include "bench/report/cache_bandwidth.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>

#include "base/parallel.hpp"
#include "bench/report/cache_read.hpp"
#include "gossamer/memory.hpp"

namespace gossamer::bench {

namespace {

constexpr int repetitions = 5;
constexpr double least_seconds = 2e-3;  // of one repetition: starting the threads must not count
constexpr index_t least_set = 8 << 10, largest_total = index_t{512} << 20;

double seconds_of(int threads, const buffer<char>& memory, index_t set, index_t rounds) {
  static std::atomic<std::uint64_t> sink;  // the sums are used, so they are computed
  // The ceiling is the processor's, whatever the cap on what kernels use.
  static const cache_reader read = select(cache_readers(), simd().processor);
  const auto start = std::chrono::steady_clock::now();
  parallel(threads, [&](int thread, int) {
    std::uint64_t sum = 0;
    for (index_t r = 0; r < rounds; ++r) sum += read(memory.data() + thread * set, set);
    sink.fetch_add(sum, std::memory_order_relaxed);
  });
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

cache_sample measure_set(int threads, const buffer<char>& memory, index_t set) {
  // Calibrated on one thread: waiting for a busy core would pass for a long measurement.
  const auto alone = [&](index_t rounds) {
    return std::min(seconds_of(1, memory, set, rounds), seconds_of(1, memory, set, rounds));
  };
  index_t rounds = 1;
  while (alone(rounds) < least_seconds) rounds *= 2;
  double best = 1e300;
  for (int r = 0; r < repetitions; ++r)
    best = std::min(best, seconds_of(threads, memory, set, rounds));
  return {set, static_cast<double>(set) * static_cast<double>(rounds) * threads / best};
}

}  // namespace

cache_bandwidth by_level(int threads, std::vector<cache_sample> sweep, const machine& here) {
  cache_bandwidth found{threads, std::move(sweep)};
  const auto best_between = [&](index_t above, index_t below) {
    double best = 0;
    for (const auto& s : found.sweep)
      if (2 * s.bytes >= 3 * above && 4 * s.bytes <= 3 * below)
        best = std::max(best, s.bytes_per_second);
    return best;
  };
  const index_t l3 = here.l3 / threads;
  found.l1 = best_between(0, here.l1);
  found.l2 = here.l2 > here.l1 ? best_between(here.l1, here.l2) : 0;
  found.l3 = l3 > here.l2 ? best_between(here.l2, l3) : 0;
  // Not "beyond the last cache": virtual machines name caches they have only a part of.
  if (!found.sweep.empty()) found.memory = found.sweep.back().bytes_per_second;
  return found;
}

cache_bandwidth measure_caches(int threads) {
  const machine& here = this_machine();
  const index_t total = std::clamp<index_t>(4 * here.l3, index_t{64} << 20, largest_total);
  const index_t largest = total / threads / cache_read_step * cache_read_step;
  buffer<char> memory(largest * threads);
  parallel(threads, [&](int thread, int) {  // touched by its reader first
    std::memset(memory.data() + thread * largest, 1, static_cast<std::size_t>(largest));
  });
  std::vector<cache_sample> sweep;
  for (index_t set = least_set; set <= largest; set *= 2) {
    sweep.push_back(measure_set(threads, memory, set));
    if (3 * set / 2 <= largest) sweep.push_back(measure_set(threads, memory, 3 * set / 2));
  }
  return by_level(threads, std::move(sweep), here);
}

}  // namespace gossamer::bench
