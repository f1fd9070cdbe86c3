// Matrices and vectors of PETSc as operands, and products of both compared.
#include "gossamer/petsc.hpp"

#include "gossamer/generate.hpp"
#include "unit/distributed/support.hpp"

namespace gossamer::mpi {
namespace {

class Petsc : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(PetscInitializeNoArguments(), 0); }
  void TearDown() override { PetscFinalize(); }
};

void expect_same_products(const csr_matrix<double>& whole) {
  const auto ranks = communicator::world();
  const auto a = distributed(ranks, whole);
  Mat mat = to_petsc(cpu, a);
  {
    const auto back = borrow(cpu, mat);
    expect_rows_of(back, whole);
    EXPECT_EQ(back.row_partition(), a.row_partition());
    std::vector<double> x(static_cast<std::size_t>(a.local_columns())),
        y(static_cast<std::size_t>(a.local_rows()));
    generate::fill_random<double>(cpu, x, static_cast<std::uint64_t>(ranks.rank()) + 1);
    Vec px = to_petsc(ranks, std::span<double>(x)), theirs = to_petsc(ranks, std::span<double>(y)),
        ours = nullptr;
    VecDuplicate(theirs, &ours);
    ASSERT_EQ(MatMult(mat, px, theirs), 0);
    product_plan<double> plan(cpu, back);
    multiply(plan, reading(px).block(), writing(ours).block());
    const reading found(ours);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(found.block()[i], y[i], 1e-12);
    VecDestroy(&ours);
    VecDestroy(&theirs);
    VecDestroy(&px);
  }
  MatDestroy(&mat);
}

TEST_F(Petsc, MatricesGoThereAndComeBack) {
  expect_same_products(generate::poisson2d<double>(cpu, 11, 7));
  expect_same_products(generate::rmat<double>(cpu, 6, 4));
  expect_same_products(generate::aspect<double>(cpu, 30, 45, 200));
  expect_same_products(generate::poisson2d<double>(cpu, 2, 1));  // fewer rows than ranks
}

TEST_F(Petsc, BorrowedArraysAreThoseOfTheMat) {
  const auto ranks = communicator::world();
  const auto whole = generate::poisson2d<double>(cpu, 8, 8);
  Mat mat = to_petsc(cpu, distributed(ranks, whole));
  {
    const auto a = borrow(cpu, mat);
    const double before = a.own().nnz() > 0 ? a.own().values[0] : 0;
    MatScale(mat, 3.0);
    if (a.own().nnz() > 0) {
      EXPECT_EQ(a.own().values[0], 3 * before);
    }
    const auto copy = a;  // a copy has arrays of its own
    MatScale(mat, 2.0);
    if (a.own().nnz() > 0) {
      EXPECT_EQ(copy.own().values[0], 3 * before);
    }
  }
  MatDestroy(&mat);
}

TEST_F(Petsc, OtherTypesAreRefused) {
  const auto ranks = communicator::world();
  Mat dense = nullptr;
  MatCreateDense(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 5, 5, nullptr, &dense);
  refusal(error_kind::bad_argument, [&] { borrow(cpu, dense); });
  MatDestroy(&dense);
}

}  // namespace
}  // namespace gossamer::mpi
