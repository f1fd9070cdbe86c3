// MueLu behind plain C++17: its headers do not compile as C++20, ours do not as less.
#pragma once

#include <memory>

namespace gossamer::bench {

class muelu_system {
 public:
  virtual ~muelu_system() = default;
  virtual void load(int rows, const long long* offsets, const long long* columns,
                    const double* values) = 0;
  virtual void setup() = 0;
  virtual void load_right_side(const double* b) = 0;
  /// Number of iterations.
  virtual int solve(double tolerance) = 0;
  virtual double operator_complexity() = 0;
  virtual void fetch(double* x) = 0;
};
std::unique_ptr<muelu_system> make_muelu_system();

}  // namespace gossamer::bench
