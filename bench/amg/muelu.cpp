// Trilinos' MueLu as a contestant.
#include "bench/amg/muelu_system.hpp"
#include "bench/amg/solver.hpp"

namespace gossamer::bench {
namespace {

class muelu_solver : public amg_solver {
 public:
  std::string name() const override { return "trilinos/muelu"; }
  std::string version() const override { return "13.2"; }
  void load(const csr_matrix<double>& a) override {
    const auto copy = [](const index_view& of) {
      std::vector<long long> wide(static_cast<std::size_t>(of.size()));
      for (index_t i = 0; i < of.size(); ++i) wide[static_cast<std::size_t>(i)] = of[i];
      return wide;
    };
    const auto offsets = copy(a.row_offsets()), columns = copy(a.column_indices());
    system_->load(static_cast<int>(a.rows()), offsets.data(), columns.data(), a.values().data());
  }
  void setup() override { system_->setup(); }
  void load_right_side(std::span<const double> b) override { system_->load_right_side(b.data()); }
  solver_run solve(double tolerance) override {
    const int iterations = system_->solve(tolerance);
    return {iterations, system_->operator_complexity()};
  }
  void fetch(std::span<double> x) override { system_->fetch(x.data()); }

 private:
  std::unique_ptr<muelu_system> system_ = make_muelu_system();
};

}  // namespace

std::vector<std::unique_ptr<amg_solver>> muelu_solvers() {
  std::vector<std::unique_ptr<amg_solver>> all;
  all.push_back(std::make_unique<muelu_solver>());
  return all;
}

}  // namespace gossamer::bench
