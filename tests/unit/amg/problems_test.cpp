// Iterations on problems of known character. The numbers are bounds with little room: a defect in
// the hierarchy shows as iterations.
#include <gtest/gtest.h>

#include "problems.hpp"

namespace gossamer::amg {
namespace {

const auto cpu = context::openmp(2);

TEST(AmgProblems, Poisson3dTakesFewIterationsAtAnySize) {
  for (const index_t n : {16, 32, 48}) {
    const auto a = generate::poisson3d<double>(cpu, n, n, n);
    const hierarchy<double> levels(cpu, a);
    double error = 0;
    const auto done = solve_known(levels, a, {}, &error);
    EXPECT_TRUE(done.converged()) << done.because;
    EXPECT_LT(done.iterations, 20) << n;
    EXPECT_LE(done.residual, 1e-8);
    EXPECT_LT(error, 1e-5);
    EXPECT_LT(levels.stats().operator_complexity(), 1.6);
  }
}

TEST(AmgProblems, Poisson2dAndElementStencils) {
  const auto check = [](const csr_matrix<double>& a) {
    const auto done = solve_known(hierarchy<double>(cpu, a), a);
    EXPECT_TRUE(done.converged()) << done.because;
    EXPECT_LT(done.iterations, 20);
  };
  check(generate::poisson2d<double>(cpu, 150, 150));
  check(generate::poisson2d<double>(cpu, 100, 100, generate::stencil::finite_element));
  check(generate::poisson3d<double>(cpu, 24, 24, 24, generate::stencil::finite_element));
  check(generate::fem<double>(cpu, generate::domain::disc, 10000));
  check(generate::fem<double>(cpu, generate::domain::ball, 8000));
}

TEST(AmgProblems, AnisotropicAndJumpingCoefficients) {
  const auto narrow = diffusion(
      80, [](auto, auto) { return 1.0; }, [](auto, auto) { return 0.001; });
  const auto along = solve_known(hierarchy<double>(cpu, narrow), narrow);
  EXPECT_TRUE(along.converged()) << along.because;
  EXPECT_LT(along.iterations, 25);

  const auto jump = [](index_t x, index_t y) { return (x / 20 + y / 20) % 2 == 0 ? 1e4 : 1.0; };
  const auto board = diffusion(80, jump, jump);
  const auto across = solve_known(hierarchy<double>(cpu, board), board);
  EXPECT_TRUE(across.converged()) << across.because;
  EXPECT_LT(across.iterations, 35);
}

TEST(AmgProblems, ElasticityNeedsItsRigidBodyMotions) {
  const auto plate = make_plate(40);
  const hierarchy<double> levels(cpu, plate.a, {.block_size = 2}, plate.motions.view());
  const auto done = solve_known(levels, plate.a);
  EXPECT_TRUE(done.converged()) << done.because;
  EXPECT_LT(done.iterations, 30);
  EXPECT_EQ(levels.prolongator(0).shape.cols % 3, 0);
  const auto without = solve_known(hierarchy<double>(cpu, plate.a, {.block_size = 2}), plate.a);
  EXPECT_GT(without.iterations, done.iterations);
}

TEST(AmgProblems, GraphLaplaciansAreSingularAndSolved) {
  auto graph = symmetrise<double>(cpu, generate::rmat<double>(cpu, 10, 8));
  triplets t;
  for (index_t i = 0; i < graph.rows(); ++i)
    for (index_t p = graph.row_offsets()[i]; p < graph.row_offsets()[i + 1]; ++p)
      if (const index_t j = graph.column_indices()[p]; j < i) t.connect(i, j, 1);
  for (index_t i = 0; i < graph.rows(); ++i)  // a path keeps every node: no empty rows
    if (i > 0) t.connect(i - 1, i, 1);
  const auto a = t.matrix(graph.rows());
  const hierarchy<double> levels(cpu, a);
  const auto done = solve_known(levels, a);  // b = A x is in the range of A
  EXPECT_TRUE(done.converged()) << done.because;
  EXPECT_LT(done.iterations, 40);
}

TEST(AmgProblems, DisconnectedPartsAndDiagonalRows) {
  triplets t;
  for (index_t part = 0; part < 3; ++part)
    for (index_t i = 0; i < 400; ++i) {
      t.add(part * 400 + i, part * 400 + i, 0.01);
      if (i > 0) t.connect(part * 400 + i - 1, part * 400 + i, 1);
    }
  for (index_t i = 1200; i < 1500; ++i) t.add(i, i, static_cast<double>(i));
  const auto a = t.matrix(1500);
  const auto done = solve_known(hierarchy<double>(cpu, a), a);
  EXPECT_TRUE(done.converged()) << done.because;
  EXPECT_LT(done.iterations, 20);
  const auto ones = identity<double>(5000);
  const auto at_once = solve_known(hierarchy<double>(cpu, ones), ones);
  EXPECT_TRUE(at_once.converged()) << at_once.because;
  EXPECT_LE(at_once.iterations, 2);
}

TEST(AmgProblems, UnsymmetricSystemsByBicgstabAndGmres) {
  triplets t;
  const index_t n = 50;
  for (index_t y = 0; y < n; ++y)
    for (index_t x = 0; x < n; ++x) {
      const index_t i = y * n + x;
      t.add(i, i, 4.8);
      if (x > 0) t.add(i, i - 1, -1.8);  // a wind from the left
      if (x + 1 < n) t.add(i, i + 1, -1);
      if (y > 0) t.add(i, i - n, -1);
      if (y + 1 < n) t.add(i, i + n, -1);
    }
  const auto a = t.matrix(n * n);
  const hierarchy<double> levels(cpu, a, {.symmetric = false});
  for (const method by : {method::bicgstab, method::gmres}) {
    double error = 0;
    const auto done = solve_known(levels, a, {.method = by}, &error);
    EXPECT_TRUE(done.converged()) << name(by) << ": " << done.because;
    EXPECT_LT(done.iterations, 30) << name(by);
    EXPECT_LT(error, 1e-6);
  }
  const auto restarted = solve_known(levels, a, {.method = method::gmres, .restart = 4});
  EXPECT_TRUE(restarted.converged()) << restarted.because;
}

TEST(AmgProblems, SmoothersCyclesAndOrdersOfTheProduct) {
  const auto a = generate::poisson3d<double>(cpu, 20, 20, 20);
  const auto by = [&](const setup_options& how) {
    const auto done = solve_known(hierarchy<double>(cpu, a, how), a);
    EXPECT_TRUE(done.converged()) << done.because;
    return done.iterations;
  };
  EXPECT_LT(by({.smoother = smoother::jacobi}), 20);
  EXPECT_LT(by({.sweeps = 3}), 15);
  EXPECT_LE(by({.coarsest = 20, .cycle = cycle::w}), by({.coarsest = 20}));
  EXPECT_EQ(by({.product = galerkin::left_first}), by({}));
}

TEST(AmgProblems, FloatReachesItsPrecisionAndSaysSo) {
  const auto a = generate::poisson3d<float>(cpu, 20, 20, 20);
  const hierarchy<float> levels(cpu, a);
  EXPECT_TRUE(solve_known(levels, a, {.tolerance = 1e-5}).converged());
  const auto beyond = solve_known(levels, a, {.tolerance = 1e-12});
  EXPECT_EQ(beyond.outcome, outcome::stagnated);
  EXPECT_NE(beyond.because.find("float"), std::string::npos) << beyond.because;
}

}  // namespace
}  // namespace gossamer::amg
