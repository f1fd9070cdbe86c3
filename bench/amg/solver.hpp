// A multigrid solver that takes part in the comparison of bench/amg: ours, and those of other
// libraries.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gossamer/matrix.hpp"

namespace gossamer::bench {

/// What a solve reports. The residual is not asked for: the judge computes it.
struct solver_run {
  index_t iterations = 0;
  double operator_complexity = 0;  ///< 0: the library does not say
};

/// Conjugate gradients preconditioned by one multigrid cycle, to |b - A x| <= tolerance |b|.
class amg_solver {
 public:
  virtual ~amg_solver() = default;
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
  /// Copies A into the library's own format; not measured.
  virtual void load(const csr_matrix<double>& a) = 0;
  /// Builds the hierarchy anew; measured.
  virtual void setup() = 0;
  /// The set-up for new values of A, which here are the old ones; measured. False: not offered.
  virtual bool setup_again() { return false; }
  /// Copies b there; not measured.
  virtual void load_right_side(std::span<const double> b) = 0;
  /// Solves from zero; measured.
  virtual solver_run solve(double tolerance) = 0;
  /// Copies x back; not measured.
  virtual void fetch(std::span<double> x) = 0;
};

std::vector<std::unique_ptr<amg_solver>> own_solvers(int threads);
/// Those of libraries that were found; an absent one returns nothing.
std::vector<std::unique_ptr<amg_solver>> petsc_solvers();
std::vector<std::unique_ptr<amg_solver>> muelu_solvers();

}  // namespace gossamer::bench
