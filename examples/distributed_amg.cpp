// Poisson's equation in a cube, solved by many processes: each makes its rows, multigrid
// preconditions conjugate gradients, and nobody ever has the whole matrix.
//
//   mpirun -n 4 gossamer_distributed_amg 60
#include <cstdlib>
#include <iostream>
#include <vector>

#include "gossamer/distributed.hpp"
#include "gossamer/mpi/distributed_amg.hpp"

namespace gs = gossamer;
namespace mpi = gossamer::mpi;

namespace {

/// The rows [first, last) of the 7-point Laplacian on n x n x n points, with global columns.
gs::csr_matrix<double> my_rows(const gs::context& cpu, gs::index_t n, gs::index_t first,
                               gs::index_t last) {
  std::vector<gs::index_t> offsets{0}, columns;
  std::vector<double> values;
  for (gs::index_t i = first; i < last; ++i) {
    const gs::index_t x = i % n, y = i / n % n, z = i / (n * n);
    const auto add = [&](bool inside, gs::index_t j, double value) {
      if (!inside) return;
      columns.push_back(j);
      values.push_back(value);
    };
    add(z > 0, i - n * n, -1);
    add(y > 0, i - n, -1);
    add(x > 0, i - 1, -1);
    add(true, i, 6);
    add(x + 1 < n, i + 1, -1);
    add(y + 1 < n, i + n, -1);
    add(z + 1 < n, i + n * n, -1);
    offsets.push_back(static_cast<gs::index_t>(columns.size()));
  }
  const gs::extents shape{last - first, n * n * n};
  return gs::sort_columns<double>(cpu, gs::csr_view<const double>(values, offsets, columns, shape));
}

}  // namespace

int main(int argc, char** argv) {
  const mpi::environment started(argc, argv);
  const auto ranks = mpi::communicator::world();
  const gs::index_t n = argc > 1 ? std::atoll(argv[1]) : 30;
  try {
    // [mpi]
    const auto cpu = gs::context::openmp();
    const auto blocks = mpi::partition::by_count(n * n * n, ranks.size());
    const auto rows = my_rows(cpu, n, blocks.first(ranks.rank()), blocks.last(ranks.rank()));
    const mpi::distributed_csr<double> A(cpu, ranks, rows.view());

    const mpi::amg_hierarchy<double> levels(cpu, A, {.gather_below = 2000});
    std::vector<double> b(static_cast<std::size_t>(A.local_rows()), 1.0), x(b.size(), 0.0);
    const auto done = mpi::solve(levels, b, x);
    // [/mpi]
    if (ranks.rank() == 0) {
      for (const auto& level : levels.levels())
        std::cout << level.rows << " rows, " << level.nnz << " nonzeros\n";
      std::cout << levels.distributed_levels() << " levels distributed over " << ranks.size()
                << " ranks; " << done.because << '\n';
    }
    return done.converged() ? 0 : 1;
  } catch (const mpi::agreed_error& e) {  // the same on all ranks
    if (ranks.rank() == 0) std::cerr << e.what() << '\n';
    return 1;
  }
}
