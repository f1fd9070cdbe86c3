// McCalpin's STREAM: what the memory gives to plain loops. Bytes are counted as STREAM counts them
// (no write-allocate traffic), the arrays are four times the last-level cache at least.
#include <algorithm>
#include <chrono>
#include <vector>

#include "base/parallel.hpp"
#include "gossamer/machine.hpp"
#include "gossamer/memory.hpp"

namespace gossamer {

namespace {

constexpr int repetitions = 7;

template <class Body>
double best_seconds(int threads, index_t n, Body&& body) {
  using clock = std::chrono::steady_clock;
  double best = 1e300;
  for (int r = 0; r < repetitions; ++r) {
    const auto start = clock::now();
    parallel_ranges(threads, n, 1, body);
    best = std::min(best, std::chrono::duration<double>(clock::now() - start).count());
  }
  return best;
}

}  // namespace

stream_result measure_stream(int threads) {
  const auto& here = this_machine();
  const index_t n = std::clamp<index_t>(4 * here.l3, 96 << 20, 512 << 20) / index_t{sizeof(double)};
  buffer<double> a(n), b(n), c(n);
  parallel_ranges(threads, n, 1, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) a[i] = 1, b[i] = 2, c[i] = 0;
  });
  double *x = a.data(), *y = b.data(), *z = c.data();
  const double s = 3;
  const auto copy = best_seconds(threads, n, [=](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) z[i] = x[i];
  });
  const auto scale = best_seconds(threads, n, [=](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) y[i] = s * z[i];
  });
  const auto add = best_seconds(threads, n, [=](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) z[i] = x[i] + y[i];
  });
  const auto triad = best_seconds(threads, n, [=](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) x[i] = y[i] + s * z[i];
  });
  const double bytes = static_cast<double>(n) * sizeof(double);
  return {threads, 2 * bytes / copy, 2 * bytes / scale, 3 * bytes / add, 3 * bytes / triad};
}

}  // namespace gossamer
