// McCalpin's STREAM: memory bandwidth of plain loops. Bytes are counted as STREAM counts them (no
// write-allocate traffic); the arrays are at least four times the last-level cache.
#include <algorithm>
#include <chrono>
#include <vector>

#include "base/parallel.hpp"
#include "gossamer/machine.hpp"
#include "gossamer/memory.hpp"

namespace gossamer {

namespace {

constexpr int repetitions = 7;

// Without sanitizer checks, which would dominate and take three times as long.
using loop = void(const double* x, const double* y, double* z, index_t begin, index_t end);
__attribute__((no_sanitize("address", "undefined"))) loop copy, scale, add, triad;

constexpr double factor = 3;
void copy(const double* x, const double*, double* z, index_t begin, index_t end) {
  for (index_t i = begin; i < end; ++i) z[i] = x[i];
}
void scale(const double* x, const double*, double* z, index_t begin, index_t end) {
  for (index_t i = begin; i < end; ++i) z[i] = factor * x[i];
}
void add(const double* x, const double* y, double* z, index_t begin, index_t end) {
  for (index_t i = begin; i < end; ++i) z[i] = x[i] + y[i];
}
void triad(const double* x, const double* y, double* z, index_t begin, index_t end) {
  for (index_t i = begin; i < end; ++i) z[i] = x[i] + factor * y[i];
}

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
  const index_t n =
      std::clamp<index_t>(4 * std::max(here.l3, here.l3_reported), 96 << 20, 512 << 20) /
      index_t{sizeof(double)};
  buffer<double> a(n), b(n), c(n);
  parallel_ranges(threads, n, 1, [&](index_t begin, index_t end) {
    for (index_t i = begin; i < end; ++i) a[i] = 1, b[i] = 2, c[i] = 0;
  });
  const auto seconds = [&](loop& one_loop, const double* x, const double* y, double* z) {
    return best_seconds(
        threads, n, [&, x, y, z](index_t begin, index_t end) { one_loop(x, y, z, begin, end); });
  };
  double *x = a.data(), *y = b.data(), *z = c.data();
  const double copied = seconds(copy, x, nullptr, z), scaled = seconds(scale, z, nullptr, y);
  const double added = seconds(add, x, y, z), multiplied = seconds(triad, y, z, x);
  const double bytes = static_cast<double>(n) * sizeof(double);
  return {threads, 2 * bytes / copied, 2 * bytes / scaled, 3 * bytes / added,
          3 * bytes / multiplied};
}

}  // namespace gossamer
