#include "bench/race/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace gossamer::bench {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double outside = 0.05;  // what a 95 % interval may miss, both sides together

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> copy(samples.begin(), samples.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

double middle(const std::vector<double>& ordered) {
  if (ordered.empty()) return nothing;
  const std::size_t half = ordered.size() / 2;
  return ordered.size() % 2 == 1 ? ordered[half] : (ordered[half - 1] + ordered[half]) / 2;
}

// log P(Binomial(n, 1/2) = k): the logarithm, because 2^-n underflows for n > 1074.
double log_probability(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2.0);
}

// How many samples may be cut off at each end.
std::size_t cut(std::size_t n) {
  double tail = 0;
  std::size_t k = 0;
  for (; 2 * (k + 1) < n; ++k) {
    tail += std::exp(log_probability(static_cast<double>(n), static_cast<double>(k)));
    if (2 * tail > outside) break;
  }
  return k == 0 ? 0 : k - 1;
}

}  // namespace

double median(std::span<const double> samples) { return middle(sorted(samples)); }

double quantile(std::span<const double> samples, double share) {
  const std::vector<double> ordered = sorted(samples);
  if (ordered.empty()) return nothing;
  const double rank = share * static_cast<double>(ordered.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  if (below + 1 >= ordered.size()) return ordered.back();
  return ordered[below] +
         (rank - static_cast<double>(below)) * (ordered[below + 1] - ordered[below]);
}

double geomean(std::span<const double> values) {
  if (values.empty()) return nothing;
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

interval median_interval(std::span<const double> samples) {
  const std::vector<double> ordered = sorted(samples);
  if (ordered.empty()) return {nothing, nothing};
  const std::size_t k = cut(ordered.size());
  return {ordered[k], ordered[ordered.size() - 1 - k]};
}

double relative_spread(std::span<const double> samples) {
  const auto [low, high] = median_interval(samples);
  return (high - low) / 2 / median(samples);
}

double share_within(std::span<const double> ratios, double factor) {
  if (ratios.empty()) return 0;
  const auto within =
      std::count_if(ratios.begin(), ratios.end(), [=](double ratio) { return ratio <= factor; });
  return static_cast<double>(within) / static_cast<double>(ratios.size());
}

}  // namespace gossamer::bench
