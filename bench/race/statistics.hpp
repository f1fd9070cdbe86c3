// Statistics of timing samples and of ratios between contestants. Pure functions; times and ratios
// are positive.
#pragma once

#include <span>

namespace gossamer::bench {

/// The middle sample, or the mean of the two in the middle. NaN for no samples.
double median(std::span<const double> samples);

/// Interpolated between neighbours in rank: quantile(samples, 0.25) is the first quartile, 0.5 the
/// median. NaN for no samples.
double quantile(std::span<const double> samples, double share);

/// exp(mean(log)): the mean under which a factor of 2 and one of 1/2 cancel. NaN for no values.
double geomean(std::span<const double> values);

struct interval {
  double low = 0, high = 0;
};

/// Where the true median lies with at least 95 % confidence, whatever the distribution: the
/// samples of rank k and n + 1 - k with the largest k for which 1 - 2 P(Binomial(n, 1/2) < k) is
/// 95 % or more. Fewer than 6 samples cannot promise that much and give their least and largest.
interval median_interval(std::span<const double> samples);

/// Half the width of that interval as a share of the median: the noise of a measurement.
double relative_spread(std::span<const double> samples);

/// One value of a performance profile (Dolan and Moré 2002): the share of cases whose time is
/// within `factor` of the best. `ratios` are time / best time per case, infinite where a
/// contestant has no result. 0 for no cases.
double share_within(std::span<const double> ratios, double factor);

}  // namespace gossamer::bench
