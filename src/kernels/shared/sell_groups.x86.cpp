// The product with a SELL layout on an x86-64: lanes under masks where there is AVX-512.
#include "kernels/shared/sell_lanes.hpp"
#include "kernels/shared/wide512.hpp"

namespace gossamer {

namespace {

template <class T>
struct wide_lanes {
  using w = detail::wide<T>;
  using sums = typename w::vector;
  [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw,bmi2")]] static inline void clear(sums& s) {
    s = w::zero();
  }
  [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw,bmi2")]] static inline void add_straight(
      sums& s, const T* values, const T* x, unsigned mask) {
    s += w::load(values) * w::load(x, static_cast<typename w::mask>(mask));
  }
  template <class D>
  [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw,bmi2")]] static inline void add_free(
      sums& s, const T* values, const T* x, const D* distances, unsigned mask) {
    s += w::load(values) * w::gather(x, distances, static_cast<typename w::mask>(mask));
  }
  [[gnu::target("avx512f,avx512vl,avx512dq,avx512bw,bmi2")]] static inline void store(const sums& s,
                                                                                      T* to) {
    w::store(to, s);
  }
};

template <class T>
[[gnu::target("avx2,fma")]] void multiply_fma(const sell_call<T>& call, range groups) {
  detail::multiply_groups<detail::plain_lanes<T>>(call, groups);
}
template <class T>
[[gnu::target("avx512f,avx512vl,avx512dq,avx512bw,bmi2")]] void multiply_512(
    const sell_call<T>& call, range groups) {
  detail::multiply_groups<wide_lanes<T>>(call, groups);
}

}  // namespace

template <class T>
std::vector<sell_multiplier<T>> sell_multipliers() {
  std::vector<sell_multiplier<T>> all{detail::multiply_groups<detail::plain_lanes<T>, T>};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    all.push_back(multiply_fma<T>);
  if (detail::has_wide()) all.push_back(multiply_512<T>);
  return all;
}
template std::vector<sell_multiplier<float>> sell_multipliers();
template std::vector<sell_multiplier<double>> sell_multipliers();

}  // namespace gossamer
