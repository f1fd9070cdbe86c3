// A program of PETSc's hands its matrix over and takes the product back, without copies.
#include <petscmat.h>

#include <cmath>
#include <iostream>

#include "gossamer/petsc.hpp"

namespace gs = gossamer;
namespace mpi = gossamer::mpi;

int main(int argc, char** argv) try {
  PetscInitialize(&argc, &argv, nullptr, nullptr);
  // A matrix and vectors, made as programs of PETSc make them.
  const PetscInt n = 500;
  Mat A = nullptr;
  Vec x = nullptr, ours = nullptr, theirs = nullptr;
  MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, 3, nullptr, 2, nullptr, &A);
  PetscInt first = 0, last = 0;
  MatGetOwnershipRange(A, &first, &last);
  for (PetscInt i = first; i < last; ++i) {
    MatSetValue(A, i, i, 2.0, INSERT_VALUES);
    if (i > 0) MatSetValue(A, i, i - 1, -1.0, INSERT_VALUES);
    if (i + 1 < n) MatSetValue(A, i, i + 1, -1.0, INSERT_VALUES);
  }
  MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY);
  MatCreateVecs(A, &x, &ours);
  VecDuplicate(ours, &theirs);
  VecSet(x, 1.0);

  {
    const auto cpu = gs::context::openmp();
    const auto a = mpi::borrow(cpu, A);  // the arrays stay PETSc's
    mpi::product_plan<PetscScalar> product(cpu, a);
    mpi::multiply(product, mpi::reading(x).block(), mpi::writing(ours).block());
  }

  PetscReal norm = 0, difference = 0;
  MatMult(A, x, theirs);
  VecNorm(ours, NORM_2, &norm);
  VecAXPY(theirs, -1.0, ours);
  VecNorm(theirs, NORM_2, &difference);
  PetscPrintf(PETSC_COMM_WORLD, "norm %g, difference from PETSc's %g\n", static_cast<double>(norm),
              static_cast<double>(difference));
  VecDestroy(&x);
  VecDestroy(&ours);
  VecDestroy(&theirs);
  MatDestroy(&A);
  PetscFinalize();
  return difference < 1e-12 && std::abs(norm - std::sqrt(2.0)) < 1e-12 ? 0 : 1;
} catch (const gs::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
