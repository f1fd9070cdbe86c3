// gossamer_bench_amg N [ROUNDS [THREADS]]: set-up and solve of 3D Poisson on N x N x N points by
// our multigrid and by those of other libraries, interleaved in one process. One JSON object a
// line: the context, then one for each solver with the times of all rounds. Times are given twice:
// by the clock on the wall, and of the processor for this process, which other programs disturb
// less.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/amg/solver.hpp"
#include "bench/race/statistics.hpp"
#include "bench/records/build_facts.hpp"
#include "gossamer/generate.hpp"
#include "gossamer/machine.hpp"
#include "gossamer/multiply.hpp"

namespace gossamer::bench {
namespace {

using json = nlohmann::ordered_json;
constexpr double tolerance = 1e-8;

/// Times of one phase, one for each round.
struct samples {
  std::vector<double> wall, processor;
  template <class F>
  void add(F&& work) {
    using clock = std::chrono::steady_clock;
    const auto begun = clock::now();
    const std::clock_t used = std::clock();
    work();
    processor.push_back(static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC);
    wall.push_back(std::chrono::duration<double>(clock::now() - begun).count());
  }
  json describe() const {
    return {{"seconds", median(wall)},
            {"processor_seconds", median(processor)},
            {"all_seconds", wall},
            {"all_processor_seconds", processor}};
  }
};

struct contestant {
  std::unique_ptr<amg_solver> solver;
  samples setups, updates, solves;
  solver_run run;
  double residual = 0;
};

double residual_of(const csr_matrix<double>& a, std::span<const double> b,
                   std::span<const double> x) {
  std::vector<double> r(b.size());
  multiply(context::openmp(1), a, x, r);
  double left = 0, size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    left += (b[i] - r[i]) * (b[i] - r[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(left / size);
}

void run_round(contestant& c, const csr_matrix<double>& a, std::span<const double> b) {
  std::vector<double> x(b.size());
  c.setups.add([&] { c.solver->setup(); });
  c.solver->load_right_side(b);
  c.solves.add([&] { c.run = c.solver->solve(tolerance); });
  c.solver->fetch(x);
  c.residual = residual_of(a, b, x);
  // The first set-up for new values may prepare what the others reuse.
  if (c.solver->setup_again()) c.updates.add([&] { c.solver->setup_again(); });
}

json describe(const contestant& c, index_t rows) {
  json told = {{"solver", c.solver->name()},
               {"version", c.solver->version()},
               {"rows", rows},
               {"iterations", c.run.iterations},
               {"residual", c.residual},
               {"setup", c.setups.describe()},
               {"solve", c.solves.describe()}};
  if (c.run.operator_complexity > 0) told["operator_complexity"] = c.run.operator_complexity;
  if (!c.updates.wall.empty()) told["setup_again"] = c.updates.describe();
  return told;
}

int run(index_t n, int rounds, int threads) {
  const auto a = generate::poisson3d<double>(context::openmp(threads), n, n, n);
  std::vector<double> known(static_cast<std::size_t>(a.rows())), b(known.size());
  generate::fill_random<double>(context::openmp(1), known, 1);
  multiply(context::openmp(1), a, known, b);
  std::vector<contestant> all;
  for (auto* offer : {+[](int t) { return own_solvers(t); }, +[](int) { return petsc_solvers(); },
                      +[](int) { return muelu_solvers(); }})
    for (auto& solver : offer(threads)) all.push_back({std::move(solver)});
  for (auto& c : all) c.solver->load(a);
  for (int round = 0; round < rounds; ++round)
    for (auto& c : all) {
      std::cerr << "round " << round + 1 << " of " << rounds << ": " << c.solver->name() << '\n';
      run_round(c, a, b);
    }
  const auto& here = this_machine();
  const json context{{"schema", "gossamer-amg/1"},
                     {"commit", build_facts().commit},
                     {"problem", "poisson3d:nx=" + std::to_string(n)},
                     {"tolerance", tolerance},
                     {"threads", threads},
                     {"rounds", rounds},
                     {"cpu", here.cpu},
                     {"cores", here.cores}};
  std::cout << context.dump() << '\n';
  for (const auto& c : all) std::cout << describe(c, a.rows()).dump() << '\n';
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace gossamer::bench

int main(int argc, char** argv) {
  const auto number = [&](int at, long otherwise) {
    return argc > at ? std::strtol(argv[at], nullptr, 10) : otherwise;
  };
  const long n = number(1, 100), rounds = number(2, 3), threads = number(3, 1);
  if (n < 1 || rounds < 1 || threads < 1) {
    std::cerr << "usage: gossamer_bench_amg [N [ROUNDS [THREADS]]], all from 1\n";
    return 2;
  }
  try {
    return gossamer::bench::run(n, static_cast<int>(rounds), static_cast<int>(threads));
  } catch (const std::exception& e) {
    std::cerr << "gossamer_bench_amg: " << e.what() << '\n';
    return 1;
  }
}
