#include "analysis/estimator.hpp"

#include <array>
#include <cmath>
#include <numeric>

namespace gossamer::analysis {

namespace {

struct stratum_estimate {
  double entries = 0;    // estimated nnz of the class
  double variance = 0;   // of that estimate
  double degrees = 0;    // of freedom behind the variance
  double allowance = 0;  // allowance for cases that a small sample may miss
};

double total_of(const std::vector<index_t>& values) {
  return static_cast<double>(std::accumulate(values.begin(), values.end(), index_t{0}));
}

double ratio_of(const sampled_stratum& s) {
  return total_of(s.sample_entries) / total_of(s.sample_products);
}

/// Sum of squared residuals of the ratio estimator, e_i = c_i - r p_i; divided by p_i first when
/// `relative`.
enum class residual { absolute, relative };
double squared_residuals(const sampled_stratum& s, residual kind) {
  const double ratio = ratio_of(s);
  double squares = 0;
  for (std::size_t i = 0; i < s.sample_products.size(); ++i) {
    const auto p = static_cast<double>(s.sample_products[i]);
    const double e = static_cast<double>(s.sample_entries[i]) - ratio * p;
    squares += kind == residual::relative ? e * e / (p * p) : e * e;
  }
  return squares;
}

struct pooled_spread {
  double variance = 0, degrees = 0;
};

/// Variance of c_i / p_i around its class, over all classes: a lower bound for classes with few
/// counted rows, which may agree by chance.
pooled_spread pooled_relative_spread(std::span<const sampled_stratum> strata) {
  double squares = 0, degrees = 0;
  for (const auto& s : strata) {
    if (s.complete() || s.sample_products.size() < 2) continue;
    squares += squared_residuals(s, residual::relative);
    degrees += static_cast<double>(s.sample_products.size() - 1);
  }
  return {degrees > 0 ? squares / degrees : 0, degrees};
}

stratum_estimate estimate_stratum(const sampled_stratum& s, const pooled_spread& pooled) {
  constexpr double few_rows = 8;
  // If n sampled rows had c_i = p_i, then at 95 % (two-sided) at most 3.7 / n of all rows differ.
  constexpr double unseen = 3.7;
  const auto rows = static_cast<double>(s.rows), products = static_cast<double>(s.products);
  const auto n = static_cast<double>(s.sample_products.size());
  stratum_estimate e;
  e.entries = ratio_of(s) * products;
  e.degrees = std::max(1.0, n - 1);
  double spread = squared_residuals(s, residual::absolute) / e.degrees;
  if (n < few_rows) {
    const double mean_products = products / rows;
    spread = std::max(spread, pooled.variance * mean_products * mean_products);
    e.degrees = std::clamp(pooled.degrees, e.degrees, few_rows - 1);
  }
  e.variance = rows * rows * (1 - n / rows) * spread / n;
  // Such a row is assumed to differ by one nonzero; a class cannot lose more than all but one per
  // row.
  e.allowance = std::min(unseen / n * (rows - n), products - rows);
  return e;
}

}  // namespace

double student_factor(double degrees) {
  constexpr std::array<double, 4> exact{12.706, 4.303, 3.182, 2.776};
  if (degrees < 5) return exact[static_cast<std::size_t>(std::max(1.0, degrees)) - 1];
  // Expansion around the normal quantile z in powers of 1 / degrees.
  constexpr double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees * degrees * degrees);
}

bounded_row extrapolate(const part_of_row& part, index_t products, index_t columns) {
  const auto all = static_cast<double>(products), cols = static_cast<double>(columns);
  const auto seen = static_cast<double>(part.products), found = static_cast<double>(part.distinct);
  if (part.products == 0) return {std::min(all, cols), 1, std::min(all, cols)};
  // New columns become rarer, so `found` grows at most in proportion to the multiplications; the
  // multiplications of the visited nonzeros are themselves uncertain by their spread.
  const double slack = 1 + 2 * part.length_spread / std::sqrt(static_cast<double>(part.entries));
  bounded_row row;
  row.low = found;
  row.high = std::min({cols, found + all - seen, found * all / seen * slack});
  // Model: multiplications hit N columns at random, found = N (1 - exp(-seen / N)). Solve for N.
  double few = found, many = cols;
  for (int step = 0; step < 100 && many - few > 1e-6 * many; ++step) {
    const double middle = (few + many) / 2;
    (middle * -std::expm1(-seen / middle) < found ? few : many) = middle;
  }
  row.estimate = std::clamp(many * -std::expm1(-all / many), row.low, row.high);
  return row;
}

entry_interval combine(std::span<const sampled_stratum> strata, std::span<const bounded_row> giants,
                       certain_entries certain) {
  const pooled_spread pooled = pooled_relative_spread(strata);
  index_t counted = certain.known, at_least = certain.known;
  double estimated = 0, variance = 0, fourth = 0, allowance = 0;
  bool exact = giants.empty();
  for (const auto& s : strata) {
    const index_t sample =
        std::accumulate(s.sample_entries.begin(), s.sample_entries.end(), index_t{0});
    at_least += sample + s.rows - static_cast<index_t>(s.sample_entries.size());
    if (s.complete()) {
      counted += sample;
      continue;
    }
    exact = false;
    const auto e = estimate_stratum(s, pooled);
    estimated += e.entries;
    variance += e.variance;
    fourth += e.variance * e.variance / e.degrees;
    allowance += e.allowance * e.allowance;
  }
  if (exact) return {counted, counted, counted, true};
  const double degrees = fourth > 0 ? variance * variance / fourth : 1;
  const double t = student_factor(degrees);
  const double half = std::sqrt(t * t * variance + allowance);
  double middle = static_cast<double>(counted) + estimated;
  double low = middle - half, high = middle + half;
  for (const auto& row : giants) {
    middle += row.estimate;
    low += row.low;
    high += row.high;
    at_least += static_cast<index_t>(row.low);
  }
  // The interval includes neither less than was counted nor more than C can hold.
  const auto bounded = [&](double x) {
    return static_cast<index_t>(
        std::clamp(x, static_cast<double>(at_least), static_cast<double>(certain.most)));
  };
  return {bounded(std::round(middle)), bounded(std::floor(low)), bounded(std::ceil(high)), false};
}

}  // namespace gossamer::analysis
