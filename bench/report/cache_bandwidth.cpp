#include "bench/report/cache_bandwidth.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>

#include "base/parallel.hpp"
#include "gossamer/memory.hpp"

namespace gossamer::bench {

namespace {

constexpr int repetitions = 5;
constexpr double least_seconds = 2e-3;  // of one repetition: starting the threads must not count
constexpr index_t least_set = 8 << 10, largest_total = index_t{512} << 20;
constexpr index_t step = 512;  // bytes of one round of the loop

// Integers, because their sum may be reordered; as wide as the widest registers. Eight sums, each a
// variable of its own: GCC keeps an array of them in memory.
using wide [[gnu::vector_size(64), gnu::may_alias]] = std::uint64_t;

[[gnu::always_inline]] inline std::uint64_t sum_of(const char* from, index_t bytes) {
  const auto* at = reinterpret_cast<const wide*>(from);  // buffers are aligned to 64 bytes
  const auto* end = reinterpret_cast<const wide*>(from + bytes);
  wide a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
  for (; at < end; at += 8) {
    a += at[0], b += at[1], c += at[2], d += at[3];
    e += at[4], f += at[5], g += at[6], h += at[7];
  }
  const wide sums = a + b + c + d + e + f + g + h;
  std::uint64_t sum = 0;
  for (int i = 0; i < 8; ++i) sum += sums[i];
  return sum;
}

using reader = std::uint64_t (*)(const char*, index_t);
std::uint64_t read_plain(const char* from, index_t bytes) { return sum_of(from, bytes); }
[[gnu::target("avx2")]] std::uint64_t read_avx2(const char* from, index_t bytes) {
  return sum_of(from, bytes);
}
[[gnu::target("avx512f")]] std::uint64_t read_avx512(const char* from, index_t bytes) {
  return sum_of(from, bytes);
}

// One binary serves every x86-64, and each is measured at its full width.
reader widest_reader() {
  if (__builtin_cpu_supports("avx512f")) return read_avx512;
  return __builtin_cpu_supports("avx2") ? read_avx2 : read_plain;
}

double seconds_of(int threads, const buffer<char>& memory, index_t set, index_t rounds) {
  static std::atomic<std::uint64_t> sink;  // the sums are used, so they are computed
  const reader read = widest_reader();
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
  const index_t largest = total / threads / step * step;
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
