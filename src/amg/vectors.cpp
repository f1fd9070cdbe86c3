// Operations on vectors of the host; those of a device are in vectors.cuda.cu.
#include "amg/vectors.hpp"

#include <array>
#include <vector>

#include "base/parallel.hpp"

namespace gossamer::amg {

namespace {

constexpr index_t grain = 1 << 14;  // elements worth a thread
constexpr index_t chunk = 1 << 12;  // elements summed one after another
constexpr std::size_t lanes = 8;    // sums that a processor keeps in vector registers

template <class T, class F>
double sum_of_range(index_t begin, index_t end, F&& term) {
  std::array<double, lanes> sums{};
  index_t i = begin;
  for (; i + static_cast<index_t>(lanes) <= end; i += static_cast<index_t>(lanes))
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += term(i + static_cast<index_t>(l));
  for (; i < end; ++i) sums[0] += term(i);
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

/// Sums chunk by chunk, and then the chunks in their order.
template <class T, class F>
double sum_of(int threads, index_t n, F&& term) {
  const index_t chunks = (n + chunk - 1) / chunk;
  std::vector<double> sums(static_cast<std::size_t>(chunks));
  parallel_ranges(threads, chunks, grain / chunk, [&](index_t begin, index_t end) {
    for (index_t c = begin; c < end; ++c)
      sums[static_cast<std::size_t>(c)] =
          sum_of_range<T>(c * chunk, std::min(n, (c + 1) * chunk), term);
  });
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

bool on_device(const context& where) { return where.backend() == backend::cuda; }

}  // namespace

template <real T>
double dot(const context& where, index_t n, const T* x, const T* y) {
  if (on_device(where)) return cuda::dot(where, n, x, y);
  return sum_of<T>(where.threads(), n, [=](index_t i) {
    return static_cast<double>(x[i]) * static_cast<double>(y[i]);
  });
}

template <real T>
void combine(const context& where, index_t n, T a, const T* x, T b, T* y) {
  if (on_device(where)) return cuda::combine(where, n, a, x, b, y);
  parallel_ranges(where.threads(), n, grain, [=](index_t begin, index_t end) {
    if (b == T{0})
      for (index_t i = begin; i < end; ++i) y[i] = a * x[i];
    else
      for (index_t i = begin; i < end; ++i) y[i] = a * x[i] + b * y[i];
  });
}

template <real T>
double descend(const context& where, index_t n, T a, const descent<T>& on) {
  if (on_device(where)) return cuda::descend(where, n, a, on);
  const auto [x, p, r, q] = on;
  return sum_of<T>(where.threads(), n, [=, x = x, p = p, r = r, q = q](index_t i) {
    x[i] += a * p[i];
    const T left = r[i] - a * q[i];
    r[i] = left;
    return static_cast<double>(left) * static_cast<double>(left);
  });
}

template <real T>
void smooth_step(const context& where, index_t n, T keep, T weight, const smoothing_vectors<T>& on,
                 start from) {
  if (on_device(where)) return cuda::smooth_step(where, n, keep, weight, on, from);
  parallel_ranges(where.threads(), n, grain, [&](index_t begin, index_t end) {
    const auto [inverse, r, d, x] = on;
    if (from == start::from_zero)
      for (index_t i = begin; i < end; ++i) x[i] = d[i] = weight * inverse[i] * r[i];
    else if (keep == T{0})
      for (index_t i = begin; i < end; ++i) x[i] += d[i] = weight * inverse[i] * r[i];
    else
      for (index_t i = begin; i < end; ++i) x[i] += d[i] = keep * d[i] + weight * inverse[i] * r[i];
  });
}

#define GOSSAMER_AMG_INSTANTIATE(T)                                       \
  template double dot(const context&, index_t, const T*, const T*);       \
  template void combine(const context&, index_t, T, const T*, T, T*);     \
  template double descend(const context&, index_t, T, const descent<T>&); \
  template void smooth_step(const context&, index_t, T, T, const smoothing_vectors<T>&, start);
GOSSAMER_AMG_INSTANTIATE(float)
GOSSAMER_AMG_INSTANTIATE(double)
#undef GOSSAMER_AMG_INSTANTIATE

}  // namespace gossamer::amg
