// The largest eigenvalue of D^-1 A from a few steps of conjugate gradients.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace gossamer::amg {

/// The largest eigenvalue of a symmetric tridiagonal matrix, by bisection on Sturm sequences.
inline double largest_eigenvalue(const std::vector<double>& diagonal,
                                 const std::vector<double>& beside) {
  const auto below = [&](double x) {  // number of eigenvalues less than x
    int count = 0;
    double q = 1;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      q = diagonal[i] - x - (i > 0 ? beside[i - 1] * beside[i - 1] / q : 0);
      if (q == 0) q = 1e-300;
      count += q < 0;
    }
    return count;
  };
  double low = 0, high = 0;
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    high = std::max(high, std::abs(diagonal[i]) + (i > 0 ? std::abs(beside[i - 1]) : 0) +
                              (i < beside.size() ? std::abs(beside[i]) : 0));
  for (int step = 0; step < 50; ++step) {
    const double middle = (low + high) / 2;
    (below(middle) < static_cast<int>(diagonal.size()) ? low : high) = middle;
  }
  return high;
}

/// The matrix of Lanczos, from the numbers of conjugate gradients with the diagonal as
/// preconditioner.
class lanczos_matrix {
 public:
  void add(double alpha, double beta) {
    diagonal_.push_back(1 / alpha + (diagonal_.empty() ? 0 : beta_ / alpha_));
    beside_.push_back(std::sqrt(std::max(beta, 0.0)) / alpha);
    alpha_ = alpha;
    beta_ = beta;
  }
  double largest() const {
    return diagonal_.empty() ? 0
                             : largest_eigenvalue(diagonal_, {beside_.begin(), beside_.end() - 1});
  }

 private:
  std::vector<double> diagonal_, beside_;
  double alpha_ = 1, beta_ = 0;
};

/// Whether rows are dominated by their diagonal, so that Gershgorin's bound is close: it is 2 at
/// most then.
inline bool is_dominated(double gershgorin) { return gershgorin <= 2.05; }
/// The bound that a smoother uses: ten steps find the largest eigenvalue within a few per cent.
inline double bounded_by(double estimate, double gershgorin) {
  return estimate > 0 && std::isfinite(estimate) ? std::min(1.1 * estimate, gershgorin)
                                                 : gershgorin;
}

}  // namespace gossamer::amg
