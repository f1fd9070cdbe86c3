// Mean and deviation of a stream of (weighted) numbers, and of two streams put together.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "gossamer/analysis.hpp"

namespace gossamer::analysis {

/// Welford's recurrence with weights, and its pairwise form: no cancellation, one pass.
class moments {
 public:
  moments() = default;
  /// Many numbers of weight 1 at once: two short passes instead of a division for each.
  explicit moments(std::span<const double> numbers) {
    if (numbers.empty()) return;
    rows_ = static_cast<index_t>(numbers.size());
    weight_ = static_cast<double>(rows_);
    min_ = max_ = numbers.front();
    double sum = 0;
    for (const double x : numbers) {
      min_ = std::min(min_, x);
      max_ = std::max(max_, x);
      sum += x;
    }
    mean_ = sum / weight_;
    for (const double x : numbers) squares_ += (x - mean_) * (x - mean_);
  }

  void add(double x, double weight = 1) {
    min_ = rows_ == 0 ? x : std::min(min_, x);
    max_ = rows_ == 0 ? x : std::max(max_, x);
    ++rows_;
    weight_ += weight;
    const double before = x - mean_;
    mean_ += before * weight / weight_;
    squares_ += weight * before * (x - mean_);
  }

  void merge(const moments& other) {
    if (other.rows_ == 0) return;
    if (rows_ == 0) {
      *this = other;
      return;
    }
    const double both = weight_ + other.weight_, difference = other.mean_ - mean_;
    squares_ += other.squares_ + difference * difference * weight_ * other.weight_ / both;
    mean_ += difference * other.weight_ / both;
    weight_ = both;
    rows_ += other.rows_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
  }

  factor_statistics result() const {
    if (rows_ == 0) return {};
    return {min_, max_, mean_, std::sqrt(std::max(0.0, squares_ / weight_)), rows_};
  }

 private:
  index_t rows_ = 0;
  double min_ = 0, max_ = 0, mean_ = 0, squares_ = 0, weight_ = 0;
};

}  // namespace gossamer::analysis
