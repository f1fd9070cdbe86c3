#include "bench/amg/solver.hpp"
#include "gossamer/amg.hpp"
#include "gossamer/version.hpp"

namespace gossamer::bench {
namespace {

class own_solver : public amg_solver {
 public:
  explicit own_solver(int threads) : where_(context::openmp(threads)) {}
  std::string name() const override { return "gossamer"; }
  std::string version() const override { return std::string(gossamer::version()); }
  void load(const csr_matrix<double>& a) override { a_ = a; }
  void setup() override {
    levels_.reset();
    levels_ = std::make_unique<amg::hierarchy<double>>(where_, a_);
  }
  bool setup_again() override {
    levels_->update(a_);
    return true;
  }
  void load_right_side(std::span<const double> b) override { b_.assign(b.begin(), b.end()); }
  solver_run solve(double tolerance) override {
    x_.assign(b_.size(), 0.0);
    const auto done = amg::solve(*levels_, b_, x_, {.tolerance = tolerance});
    return {done.iterations, levels_->stats().operator_complexity()};
  }
  void fetch(std::span<double> x) override { std::copy(x_.begin(), x_.end(), x.begin()); }

 private:
  context where_;
  csr_matrix<double> a_;
  std::unique_ptr<amg::hierarchy<double>> levels_;
  std::vector<double> b_, x_;
};

}  // namespace

std::vector<std::unique_ptr<amg_solver>> own_solvers(int threads) {
  std::vector<std::unique_ptr<amg_solver>> all;
  all.push_back(std::make_unique<own_solver>(threads));
  return all;
}

}  // namespace gossamer::bench
