// Distributed SpMV and SpMM against PETSc's MatMult and MatMatMult, at equal ranks and with the
// same blocks of rows. Runs alternate, one of ours and one of theirs after a barrier each; the time
// of a run is that of the slowest rank. Rank 0 prints one JSON record a line:
//
//   mpirun -n 4 gossamer_bench_distributed A.mtx poisson3d:nx=80 rmat:scale=16 > records.jsonl
#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/distributed/racing.hpp"
#include "bench/race/statistics.hpp"
#include "gossamer/mpi.hpp"
#include "gossamer/petsc.hpp"

namespace gs = gossamer;
namespace mpi = gossamer::mpi;

namespace {

using gs::bench::load;
using gs::bench::race;
using gs::bench::run_race;

constexpr int rounds = 31;

/// The largest difference of two blocks over the largest element, on all ranks.
double difference(MPI_Comm comm, const double* a, const double* b, gs::index_t count) {
  double found[2] = {0, 0}, all[2];
  for (gs::index_t i = 0; i < count; ++i) {
    found[0] = std::max(found[0], std::abs(a[i] - b[i]));
    found[1] = std::max(found[1], std::abs(b[i]));
  }
  MPI_Allreduce(found, all, 2, MPI_DOUBLE, MPI_MAX, comm);
  return all[1] > 0 ? all[0] / all[1] : all[0];
}

void report(const mpi::communicator& ranks, const std::string& what, const char* operation,
            const mpi::distributed_csr<double>& a, const mpi::product_plan<double>& plan,
            const race& times, double error) {
  const double bytes = mpi::sum(ranks, static_cast<double>(plan.sent_per_call().bytes));
  const double messages = mpi::sum(ranks, static_cast<double>(plan.sent_per_call().messages));
  const double nnz = static_cast<double>(a.local_nnz());
  double most = 0;
  MPI_Allreduce(&nnz, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  const double own = mpi::sum(ranks, plan.latest().own), wait = mpi::sum(ranks, plan.latest().wait);
  if (ranks.rank() != 0) return;
  const double ours = gs::bench::median(times.ours), theirs = gs::bench::median(times.theirs);
  std::cout << nlohmann::ordered_json{{"matrix", what},
                                      {"operation", operation},
                                      {"ranks", ranks.size()},
                                      {"rows", a.shape().rows},
                                      {"nnz", a.nnz()},
                                      {"gossamer_seconds", ours},
                                      {"petsc_seconds", theirs},
                                      {"gossamer_least",
                                       *std::min_element(times.ours.begin(), times.ours.end())},
                                      {"petsc_least",
                                       *std::min_element(times.theirs.begin(), times.theirs.end())},
                                      {"speedup", theirs / ours},
                                      {"difference", error},
                                      {"messages", messages},
                                      {"bytes_sent", bytes},
                                      {"imbalance_nnz",
                                       a.nnz() > 0
                                           ? most * ranks.size() / static_cast<double>(a.nnz())
                                           : 1.0},
                                      {"overlap", own + wait > 0 ? own / (own + wait) : 1.0},
                                      {"kernel", plan.own_kernel()}}
            << std::endl;
}

void race_vectors(const gs::context& cpu, const std::string& what,
                  const mpi::distributed_csr<double>& a, Mat petsc) {
  const auto& ranks = a.ranks();
  std::vector<double> x(static_cast<std::size_t>(a.local_columns())),
      y(static_cast<std::size_t>(a.local_rows())), z = y;
  gs::generate::fill_random<double>(cpu, x, static_cast<std::uint64_t>(ranks.rank()) + 1);
  Vec px = mpi::to_petsc(ranks, std::span<double>(x)),
      pz = mpi::to_petsc(ranks, std::span<double>(z));
  mpi::product_plan<double> plan(cpu, a,
                                 {.local = {.expected_calls = 1000, .constant_values = true}});
  const auto times = run_race(
      rounds, [&] { mpi::multiply(plan, x, y); }, [&] { MatMult(petsc, px, pz); });
  report(ranks, what, "spmv", a, plan, times,
         difference(MPI_COMM_WORLD, y.data(), z.data(), a.local_rows()));
  VecDestroy(&px);
  VecDestroy(&pz);
}

void race_blocks(const gs::context& cpu, const std::string& what,
                 const mpi::distributed_csr<double>& a, Mat petsc, gs::index_t columns) {
  const auto& ranks = a.ranks();
  // PETSc's dense matrices are column-major; ours are timed in the layout that they prefer.
  gs::dense_matrix<double> x(a.local_columns(), columns), y(a.local_rows(), columns);
  gs::generate::fill_random<double>(cpu, x.values(), static_cast<std::uint64_t>(ranks.rank()) + 1);
  std::vector<double> turned(x.values().size());
  for (gs::index_t i = 0; i < x.rows(); ++i)
    for (gs::index_t j = 0; j < columns; ++j)
      turned[static_cast<std::size_t>(j * x.rows() + i)] = x(i, j);
  Mat px = nullptr, py = nullptr;
  MatCreateDense(PETSC_COMM_WORLD, static_cast<PetscInt>(x.rows()), PETSC_DECIDE, PETSC_DETERMINE,
                 static_cast<PetscInt>(columns), turned.data(), &px);
  MatMatMult(petsc, px, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &py);
  mpi::product_plan<double> plan(
      cpu, a, {.columns = columns, .local = {.expected_calls = 1000, .constant_values = true}});
  const auto times = run_race(
      rounds, [&] { mpi::multiply(plan, x, y); },
      [&] { MatMatMult(petsc, px, MAT_REUSE_MATRIX, PETSC_DEFAULT, &py); });
  const double* found = nullptr;
  MatDenseGetArrayRead(py, &found);
  std::vector<double> theirs(y.values().size());
  for (gs::index_t i = 0; i < y.rows(); ++i)
    for (gs::index_t j = 0; j < columns; ++j)
      theirs[static_cast<std::size_t>(i * columns + j)] = found[j * y.rows() + i];
  MatDenseRestoreArrayRead(py, &found);
  const auto operation = "spmm" + std::to_string(columns);
  report(ranks, what, operation.c_str(), a, plan, times,
         difference(MPI_COMM_WORLD, y.values().data(), theirs.data(), y.rows() * columns));
  MatDestroy(&px);
  MatDestroy(&py);
}

}  // namespace

int main(int argc, char** argv) try {
  const mpi::environment started;
  PetscInitializeNoArguments();
  {
    const auto ranks = mpi::communicator::world();
    const auto cpu = gs::context::openmp();
    for (int k = 1; k < argc; ++k) {
      const auto a = load(cpu, ranks, argv[k]);
      Mat petsc = mpi::to_petsc(cpu, a);
      race_vectors(cpu, argv[k], a, petsc);
      race_blocks(cpu, argv[k], a, petsc, 8);
      MatDestroy(&petsc);
    }
  }
  PetscFinalize();
  return 0;
} catch (const gs::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
