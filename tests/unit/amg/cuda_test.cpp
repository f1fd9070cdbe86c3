// The solver on a device. Skipped, with the reason, where there is none; GOSSAMER_REQUIRE_GPU=1
// makes a skip a failure.
#include <gtest/gtest.h>

#include <cstdlib>

#include "problems.hpp"

namespace gossamer::amg {
namespace {

class AmgCuda : public testing::Test {
 protected:
  void SetUp() override {
    if (available(backend::cuda)) return;
    if (std::getenv("GOSSAMER_REQUIRE_GPU")) FAIL() << why_not_available(backend::cuda);
    GTEST_SKIP() << why_not_available(backend::cuda);
  }
};

TEST_F(AmgCuda, BuildsTheHierarchyOfTheHost) {
  const auto gpu = context::cuda(), cpu = context::openmp();
  const auto plate = make_plate(30);
  const auto check = [&](const csr_matrix<double>& a, const setup_options& how,
                         const near_null_space<double>& vectors) {
    const hierarchy<double> there(gpu, a, how, vectors), here(cpu, a, how, vectors);
    // Level 1 follows from A itself. Below it, connections of equal strength are told apart by
    // rounding, which differs between host and device, and aggregates with them.
    for (int l = 0; l < 2; ++l)
      EXPECT_TRUE(allclose(copy_to_host(gpu, there.matrix(l)), here.matrix(l), 1e-9, 1e-12)) << l;
    ASSERT_EQ(there.levels(), here.levels());
    for (int l = 0; l + 1 < here.levels(); ++l) {
      const auto p = copy_to_host(gpu, there.prolongator(l)),
                 a_here = copy_to_host(gpu, there.matrix(l));
      const auto wanted = multiply(cpu, transposed(p), multiply(cpu, a_here, p));
      EXPECT_TRUE(allclose(copy_to_host(gpu, there.matrix(l + 1)), wanted, 1e-9, 1e-12)) << l;
    }
  };
  check(generate::poisson3d<double>(cpu, 24, 24, 24), {}, {});
  check(generate::poisson2d<double>(cpu, 60, 60), {.product = galerkin::left_first}, {});
  check(plate.a, {.block_size = 2, .coarsest = 50}, plate.motions.view());
}

TEST_F(AmgCuda, SolvesByEveryMethodSmootherAndCycle) {
  const auto gpu = context::cuda();
  const auto a = generate::poisson3d<double>(context::openmp(), 32, 32, 32);
  for (const auto by : {smoother::jacobi, smoother::chebyshev})
    for (const auto shape : {cycle::v, cycle::w}) {
      const hierarchy<double> levels(gpu, a, {.smoother = by, .cycle = shape});
      for (const auto with : {method::cg, method::bicgstab, method::gmres}) {
        double error = 0;
        const auto done = solve_known(levels, a, {.method = with}, &error);
        EXPECT_TRUE(done.converged()) << name(with) << ": " << done.because;
        EXPECT_LT(done.iterations, 20) << name(with);
        EXPECT_LT(error, 1e-5);
      }
    }
}

TEST_F(AmgCuda, KeepsVectorsOnTheDevice) {
  const auto gpu = context::cuda();
  const auto a = generate::poisson2d<float>(context::openmp(), 100, 100);
  const hierarchy<float> levels(gpu, a);
  const auto b = copy_to(gpu, std::vector<float>(10000, 1.0f));
  vector<float> x(gpu, 10000);
  // With 24 bits |b - A x| gets no smaller than some 2e-4 |b|: x is hundreds of times as large as
  // b.
  const auto done = solve<float>(levels, b.view(), x.mutable_view(), {.tolerance = 1e-3});
  EXPECT_TRUE(done.converged()) << done.because;
}

TEST_F(AmgCuda, TakesNewValues) {
  const auto gpu = context::cuda(), cpu = context::openmp();
  auto a = generate::fem<double>(cpu, generate::domain::disc, 20000);
  hierarchy<double> levels(gpu, a);
  for (int step = 0; step < 3; ++step) {
    for (auto& v : a.values()) v *= 2;  // exactly: the same aggregates
    levels.update(a);
    const hierarchy<double> anew(gpu, a);
    for (int l = 0; l < anew.levels(); ++l)
      EXPECT_TRUE(allclose(copy_to_host(gpu, levels.matrix(l)), copy_to_host(gpu, anew.matrix(l)),
                           1e-9, 1e-12))
          << l;
    const auto done = solve_known(levels, a);
    EXPECT_TRUE(done.converged()) << done.because;
  }
}

}  // namespace
}  // namespace gossamer::amg
