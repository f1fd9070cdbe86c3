// The program of docs/guide/mpi.md: a matrix over all processes, and products with it.
#include <cmath>
#include <iostream>

// [mpi]
#include "gossamer/distributed.hpp"

namespace gs = gossamer;
namespace mpi = gossamer::mpi;
// [/mpi]

int main(int argc, char** argv) try {
  // [mpi]
  const mpi::environment started(argc, argv);  // MPI_Init, and MPI_Finalize at the end
  const auto ranks = mpi::communicator::world();
  const auto cpu = gs::context::openmp();
  // [/mpi]

  // [mpi]
  // Each rank brings some elements, whichever they are; they travel to the rank of their row.
  const gs::index_t n = 1000, mine = n / ranks.size() * ranks.rank();
  const gs::index_t end = ranks.rank() + 1 == ranks.size() ? n : mine + n / ranks.size();
  std::vector<gs::index_t> rows, columns;
  std::vector<double> values;
  for (gs::index_t i = mine; i < end; ++i)
    for (const gs::index_t j : {i - 1, i, i + 1})
      if (j >= 0 && j < n) {
        rows.push_back(i);
        columns.push_back(j);
        values.push_back(i == j ? 2 : -1);
      }
  const auto A = mpi::from_triplets(cpu, ranks, {n, n}, rows, columns, values,
                                    {.balance = mpi::balance::nonzeros});
  // [/mpi]

  // [mpi]
  mpi::product_plan<double> product(cpu, A);  // who sends what to whom; kernels; buffers
  std::vector<double> x(static_cast<std::size_t>(A.local_columns()), 1.0);
  std::vector<double> y(static_cast<std::size_t>(A.local_rows()));
  mpi::multiply(product, x, y);            // y = A x
  mpi::multiply(product, 0.5, x, 2.0, y);  // y = 0.5 A x + 2 y
  const double norm = std::sqrt(mpi::dot<double>(ranks, y, y));
  // [/mpi]

  // [mpi]
  mpi::product_plan<double> turned(cpu, A, {.transposed = true, .columns = 4});
  gs::dense_matrix<double> X(A.local_rows(), 4), Y(A.local_columns(), 4);
  mpi::multiply(turned, X, Y);  // Y = A' X, four columns at once
  // [/mpi]

  // [mpi]
  const auto sent = product.sent_per_call();
  const double bytes = mpi::sum(ranks, static_cast<double>(sent.bytes));
  if (ranks.rank() == 0)
    std::cout << ranks.size() << " ranks send " << bytes << " bytes a product; norm " << norm
              << '\n';
  // [/mpi]

  // [mpi]
  try {
    mpi::agreed(ranks, [&] {
      if (ranks.rank() == ranks.size() - 1)
        throw gs::error(gs::error_kind::bad_input, "this rank cannot go on");
    });
  } catch (const mpi::agreed_error& e) {  // on every rank
    if (ranks.rank() == 0) std::cout << e.what() << '\n';
  }
  // [/mpi]
  const double expected = std::sqrt(2.0) * 2.5;  // 1 at both ends, times 0.5 + 2
  const bool local = ranks.size() == 1 || bytes > 0;
  return std::abs(norm - expected) < 1e-12 && local ? 0 : 1;
} catch (const gs::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
