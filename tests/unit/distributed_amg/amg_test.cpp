#include <gtest/gtest.h>

#include <cmath>

#include "gossamer/distributed.hpp"
#include "gossamer/generate.hpp"
#include "gossamer/mpi/distributed_amg.hpp"
#include "unit/distributed/products/cases.hpp"

namespace gossamer::mpi {
namespace {

/// A right-hand side that belongs to global rows.
std::vector<double> right_side(index_t first, index_t count) {
  std::vector<double> b;
  for (index_t i = first; i < first + count; ++i)
    b.push_back(std::sin(static_cast<double>(3 * i % 101)));
  return b;
}

/// Solves on all ranks and on one, with the same options; expects the same hierarchy.
void expect_as_on_one_process(const csr_matrix<double>& whole, const partition& rows,
                              const amg_options& how) {
  const auto ranks = communicator::world();
  const auto a = spread(ranks, whole, rows);
  const amg_hierarchy<double> levels(cpu, a, how);
  const amg::hierarchy<double> alone(cpu, whole, how.setup);
  ASSERT_EQ(levels.levels().size(), alone.stats().levels.size());
  for (std::size_t l = 0; l < levels.levels().size(); ++l) {
    EXPECT_EQ(levels.levels()[l].rows, alone.stats().levels[l].rows) << "level " << l;
    EXPECT_EQ(levels.levels()[l].nnz, alone.stats().levels[l].nnz) << "level " << l;
    EXPECT_EQ(levels.levels()[l].weak, alone.stats().levels[l].weak) << "level " << l;
  }
  const auto b = right_side(a.first_row(), a.local_rows());
  std::vector<double> x(b.size(), 0);
  const auto done = solve(levels, b, x);
  EXPECT_TRUE(done.converged()) << done.because;
  const auto whole_b = right_side(0, whole.rows());
  std::vector<double> whole_x(whole_b.size(), 0);
  const auto one = amg::solve(alone, whole_b, whole_x);
  EXPECT_NEAR(static_cast<double>(done.iterations), static_cast<double>(one.iterations), 2);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = whole_x[static_cast<std::size_t>(a.first_row()) + i];
    largest = std::max(largest, std::abs(expected));
    difference = std::max(difference, std::abs(expected - x[i]));
  }
  EXPECT_LE(difference, 1e-5 * std::max(largest, 1.0));
}

TEST(DistributedAmg, BuildsTheHierarchyOfOneProcess) {
  const int ranks = communicator::world().size();
  const auto cube = generate::poisson3d<double>(cpu, 20, 21, 19);
  const auto even = partition::by_count(cube.rows(), ranks);
  expect_as_on_one_process(cube, even, {.gather_below = 400});
  expect_as_on_one_process(cube, uneven(cube.rows(), ranks), {.gather_below = 60});
  expect_as_on_one_process(cube, even, {.gather_below = 100000});  // all of it on each rank
  expect_as_on_one_process(cube, even,
                           {.setup = {.smoother = amg::smoother::jacobi}, .gather_below = 400});
}

TEST(DistributedAmg, DropsWeakConnections) {
  const int ranks = communicator::world().size();
  auto plane = generate::poisson2d<double>(cpu, 60, 50);
  // Connections along one direction are a hundredth of the others, the diagonal is their sum.
  const auto view = plane.mutable_view();
  for (index_t i = 0; i < plane.rows(); ++i)
    for (index_t k = view.offsets[i]; k < view.offsets[i + 1]; ++k) {
      const index_t away = std::abs(view.columns[k] - i);
      view.values[k] = away == 0 ? 2.02 : (away == 1 ? -0.01 : -1.0);
    }
  expect_as_on_one_process(plane, partition::by_count(plane.rows(), ranks), {.gather_below = 300});
}

TEST(DistributedAmg, DistributesAsManyLevelsAsAreLarge) {
  const auto ranks = communicator::world();
  const auto cube = generate::poisson3d<double>(cpu, 20, 20, 20);
  const auto a = spread(ranks, cube);
  const amg_hierarchy<double> two(cpu, a, {.gather_below = 100});
  EXPECT_EQ(two.distributed_levels(), 2);
  const amg_hierarchy<double> none(cpu, a, {.gather_below = 8000});
  EXPECT_EQ(none.distributed_levels(), 0);
  const amg_hierarchy<double> one(cpu, a, {.setup = {.levels = 1}, .gather_below = 10});
  EXPECT_EQ(one.distributed_levels(), 1);  // smoothed alone
  const auto b = right_side(a.first_row(), a.local_rows());
  std::vector<double> x(b.size(), 0);
  EXPECT_TRUE(solve(one, b, x).converged());
}

TEST(DistributedAmg, SolvesInFloatAndOfZero) {
  const auto ranks = communicator::world();
  const auto cube = generate::poisson3d<float>(cpu, 12, 12, 12);
  const auto a = spread(ranks, cube);
  const amg_hierarchy<float> levels(cpu, a, {.gather_below = 200});
  std::vector<float> b(static_cast<std::size_t>(a.local_rows()), 1), x(b.size(), 0);
  EXPECT_TRUE(solve(levels, b, x, {.tolerance = 1e-4}).converged());
  std::fill(b.begin(), b.end(), 0.0f);
  EXPECT_TRUE(solve(levels, b, x).converged());
  for (const float value : x) EXPECT_EQ(value, 0);
}

TEST(DistributedAmg, RefusesOnAllRanks) {
  const auto ranks = communicator::world();
  const auto wide = spread(ranks, generate::aspect<double>(cpu, 20, 30, 50));
  refusal(error_kind::bad_input, [&] { amg_hierarchy<double>(cpu, wide); });
  auto plane = generate::poisson2d<double>(cpu, 30, 30);
  const auto view = plane.mutable_view();
  for (index_t k = view.offsets[899]; k < view.offsets[900]; ++k)
    if (view.columns[k] == 899) view.values[k] = 0;
  const auto broken = spread(ranks, plane);
  const auto text = refusal(error_kind::bad_input,
                            [&] { amg_hierarchy<double>(cpu, broken, {.gather_below = 100}); });
  EXPECT_NE(text.find("row 899"), std::string::npos) << text;
  const auto fine = spread(ranks, generate::poisson2d<double>(cpu, 30, 30));
  const amg_hierarchy<double> levels(cpu, fine, {.gather_below = 100});
  std::vector<double> b(static_cast<std::size_t>(fine.local_rows()), 1), x(b);
  if (ranks.rank() == ranks.size() - 1) x.push_back(0);
  refusal(error_kind::bad_argument, [&] { solve(levels, b, x); });
  x.resize(b.size());
  refusal(error_kind::not_available, [&] { solve(levels, b, x, {.method = amg::method::gmres}); });
  refusal(error_kind::not_available,
          [&] { amg_hierarchy<double>(cpu, fine, {.setup = {.cycle = amg::cycle::w}}); });
}

}  // namespace
}  // namespace gossamer::mpi
