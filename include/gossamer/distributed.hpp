// Matrices and products over many processes, on MPI. A library of its own, gossamer::mpi;
// docs/guide/mpi.md is its guide. Rows are in blocks, one a rank; so are vectors. This header needs
// no mpi.h: gossamer/mpi.hpp, for those who have an MPI_Comm already, does.
//
//   mpi::environment started(argc, argv);
//   const auto ranks = mpi::communicator::world();
//   const mpi::distributed_csr<double> A(cpu, ranks, my_rows);  // my rows, global columns
//   mpi::product_plan<double> product(cpu, A);                  // who sends what to whom
//   mpi::multiply(product, my_x, my_y);                         // y = A x, in blocks
//
// Every function that takes a communicator, or a matrix on one, is collective unless it says
// otherwise: all ranks call it, in the same order. Where one of them fails, all throw the same
// error, whose text begins with the rank that failed.
#pragma once

#include "gossamer/mpi/distributed_files.hpp"
#include "gossamer/mpi/distributed_matrix.hpp"
#include "gossamer/mpi/distributed_multiply.hpp"
#include "gossamer/mpi/distributed_products.hpp"
#include "gossamer/mpi/distributed_reorder.hpp"
