// Distributed C = A A against PETSc's MatMatMult, at equal ranks and with the same blocks of rows.
// Both compute structure and values anew in each run. Rank 0 prints one JSON record a line, for
// each way of ours:
//
//   mpirun -n 4 gossamer_bench_distributed_products A.mtx poisson3d:nx=40 > records.jsonl
#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/distributed/racing.hpp"
#include "bench/race/statistics.hpp"
#include "gossamer/petsc.hpp"

namespace gs = gossamer;
namespace mpi = gossamer::mpi;

namespace {

constexpr int rounds = 9;

/// Root of the sum of squares of all values, on all ranks.
double norm_of(const mpi::distributed_csr<double>& c) {
  double sum = 0;
  for (const auto& part : {c.own(), c.off()})
    for (gs::index_t k = 0; k < part.nnz(); ++k) sum += part.values[k] * part.values[k];
  return std::sqrt(mpi::sum(c.ranks(), sum));
}

void race_product(const gs::context& cpu, const std::string& what,
                  const mpi::distributed_csr<double>& a, Mat petsc, const std::string& way) {
  std::optional<mpi::distributed_csr<double>> c;
  mpi::spgemm_report why;
  double their_norm = 0;
  PetscLogDouble their_nonzeros = 0;
  const auto times = gs::bench::run_race(
      rounds, [&] { c.emplace(mpi::multiply(cpu, a, a, {.algorithm = way}, &why)); },
      [&] {
        Mat product = nullptr;
        MatMatMult(petsc, petsc, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &product);
        MatInfo info;
        MatGetInfo(product, MAT_GLOBAL_SUM, &info);
        their_nonzeros = info.nz_used;
        if (their_norm == 0) MatNorm(product, NORM_FROBENIUS, &their_norm);
        MatDestroy(&product);
      },
      1);
  const double norm = norm_of(*c);
  if (a.ranks().rank() != 0) return;
  const double ours = gs::bench::median(times.ours), theirs = gs::bench::median(times.theirs);
  std::cout << nlohmann::ordered_json{{"matrix", what},
                                      {"operation", "spgemm"},
                                      {"asked", way},
                                      {"algorithm", why.algorithm},
                                      {"grid", {why.grid.rows, why.grid.columns, why.grid.layers}},
                                      {"ranks", a.ranks().size()},
                                      {"rows", a.shape().rows},
                                      {"nnz", a.nnz()},
                                      {"result_nnz", c->nnz()},
                                      {"petsc_result_nnz", their_nonzeros},
                                      {"gossamer_seconds", ours},
                                      {"petsc_seconds", theirs},
                                      {"gossamer_least",
                                       *std::min_element(times.ours.begin(), times.ours.end())},
                                      {"petsc_least",
                                       *std::min_element(times.theirs.begin(), times.theirs.end())},
                                      {"speedup", theirs / ours},
                                      {"difference_of_norms",
                                       std::abs(norm - their_norm) / their_norm},
                                      {"messages", why.sent_by_all.messages},
                                      {"bytes_sent", why.sent_by_all.bytes}}
            << std::endl;
}

}  // namespace

int main(int argc, char** argv) try {
  const mpi::environment started;
  PetscInitializeNoArguments();
  {
    const auto ranks = mpi::communicator::world();
    const auto cpu = gs::context::openmp();
    for (int k = 1; k < argc; ++k) {
      const auto a = gs::bench::load(cpu, ranks, argv[k]);
      Mat petsc = mpi::to_petsc(cpu, a);
      for (const std::string way : {"auto", "1d", "2d"}) race_product(cpu, argv[k], a, petsc, way);
      MatDestroy(&petsc);
    }
  }
  PetscFinalize();
  return 0;
} catch (const gs::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
