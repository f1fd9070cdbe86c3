// A A of a matrix over all processes, and what each way to compute it would send on 4,096 of them.
#include <iostream>

#include "gossamer/distributed.hpp"
#include "gossamer/multiply.hpp"

namespace gs = gossamer;
namespace mpi = gossamer::mpi;

namespace {

/// What 4,096 ranks would send, without processes: in blocks of rows, and on a grid with layers.
bool sends_less_by_rows(const gs::csr_matrix<double>& A) {
  // [mpi]
  const auto rows = mpi::partition::by_count(A.rows(), 4096);
  const mpi::product_structure product{gs::pattern_of(A), gs::pattern_of(A), rows, rows};
  const auto by_rows = mpi::summary("1d", {}, mpi::predict_traffic(product));
  const auto grid = mpi::process_grid::near_square(4096, 16);
  const auto in_layers = mpi::summary("3d", grid, mpi::predict_traffic(product, grid));
  // [/mpi]
  return by_rows.bytes < in_layers.bytes;  // a mesh: neighbours are all that a rank needs
}

}  // namespace

int main(int argc, char** argv) try {
  const mpi::environment started(argc, argv);
  const auto ranks = mpi::communicator::world();
  const auto cpu = gs::context::openmp();
  const auto whole = gs::generate::poisson2d<double>(cpu, 100, 100);
  const auto A = mpi::scatter<double>(cpu, ranks, whole.view());
  const auto& B = A;

  // [mpi]
  mpi::spgemm_report why;
  const mpi::spgemm_options how{.algorithm = "auto", .local = {.memory_limit = 4'000'000'000}};
  const auto C = mpi::multiply(cpu, A, B, how, &why);
  if (ranks.rank() == 0) std::cout << why.text();  // what ran, and what each way would send
  // [/mpi]
  const bool right = C.nnz() == gs::multiply(cpu, whole, whole).nnz();
  return right && sends_less_by_rows(whole) ? 0 : 1;
} catch (const gs::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
