#include "unit/distributed/products/cases.hpp"

namespace gossamer::mpi {
namespace {

/// 2D, and 3D with 2 and 3 layers where there are as many ranks.
std::vector<spgemm_options> on_grids(int ranks, const options& local = {}) {
  std::vector<spgemm_options> all{{.algorithm = "2d", .local = local}};
  if (ranks > 1) all.push_back({.algorithm = "3d", .local = local});  // layers chosen
  for (int layers = 2; layers <= std::min(ranks, 3); ++layers)
    all.push_back({.algorithm = "3d", .layers = layers, .local = local});
  return all;
}

TEST(ProcessGrid, IsNearASquareForAnyNumberOfRanks) {
  EXPECT_EQ(process_grid::near_square(1), (process_grid{1, 1, 1}));
  EXPECT_EQ(process_grid::near_square(7), (process_grid{3, 2, 1}));
  EXPECT_EQ(process_grid::near_square(16), (process_grid{4, 4, 1}));
  EXPECT_EQ(process_grid::near_square(4096, 16), (process_grid{16, 16, 16}));
  EXPECT_EQ(process_grid::near_square(7, 2), (process_grid{3, 1, 2}));
  refusal(error_kind::bad_argument, [] { process_grid::near_square(3, 4); });
}

TEST(GridProduct, IsThatOfOneProcess) {
  const auto ranks = communicator::world();
  const auto square = with_integers(generate::rmat<double>(cpu, 8, 6));
  const auto wide = with_integers(generate::aspect<float>(cpu, 60, 300, 1500));
  const auto tall = with_integers(generate::aspect<float>(cpu, 300, 45, 1200));
  for (const auto& how : on_grids(ranks.size())) {
    spgemm_report why;
    const auto a = spread(ranks, square, uneven(square.rows(), ranks.size()));
    const auto c = multiply(cpu, a, a, how, &why);
    expect_rows(c, gossamer::multiply(cpu, square, square));
    EXPECT_EQ(c.row_partition(), a.row_partition());
    EXPECT_EQ(c.column_partition(), a.column_partition());
    EXPECT_EQ(why.algorithm, how.algorithm);
    EXPECT_EQ(why.rounds, 1);
    expect_rows(multiply(cpu, spread(ranks, wide), spread(ranks, tall), how),
                gossamer::multiply(cpu, wide, tall));
  }
}

TEST(GridProduct, HasTheBitsOfOneProcessInOneLayer) {
  const auto ranks = communicator::world();
  const auto square = generate::rmat<double>(cpu, 9, 8);
  const options local{.algorithm = "hash", .deterministic = true};
  const auto a = spread(ranks, square);
  expect_rows(multiply(cpu, a, a, {.algorithm = "2d", .alpha = 0.3, .local = local}),
              gossamer::multiply(cpu, scaled(0.3, square), square, local));
}

TEST(GridProduct, HasSemiringsMasksAndFilters) {
  const auto ranks = communicator::world();
  const auto square = with_integers(generate::rmat<double>(cpu, 7, 7));
  const auto mask = generate::aspect<double>(cpu, square.rows(), square.rows(), 3000);
  const auto a = spread(ranks, square, uneven(square.rows(), ranks.size()));
  const int me = ranks.rank();
  const auto my_mask =
      slice_rows(cpu, mask, a.row_partition().first(me), a.row_partition().last(me));
  const auto compare = [&](options how, bool masked, bool complemented) {
    options mine = how;
    if (masked) {
      how.mask = pattern_of(mask);
      mine.mask = pattern_of(my_mask.view());
      how.mask->complemented = mine.mask->complemented = complemented;
    }
    const auto expected = gossamer::multiply(cpu, square, square, how);
    for (const auto& grid : on_grids(ranks.size(), mine))
      expect_rows(multiply(cpu, a, a, grid), expected);
  };
  for (const auto over :
       {semiring::plus_times, semiring::min_plus, semiring::max_plus, semiring::or_and,
        semiring::plus_pair, semiring::any_pair, semiring::min_first, semiring::max_min}) {
    compare({.semiring = over}, false, false);
    compare({.semiring = over}, true, false);
    compare({.semiring = over}, true, true);
  }
  compare({.drop_zeros = true}, false, false);
  compare({.keep = {.magnitude = 4}}, false, false);
  compare({.keep = {.magnitude = 2, .largest = 3}}, true, false);
}

TEST(GridProduct, HasEmptyOperandsAndFewerRowsThanRanks) {
  const auto ranks = communicator::world();
  const auto tiny = with_integers(generate::poisson2d<double>(cpu, 2, 1));
  const csr_matrix<double> none({5, 4}, 0), nothing({4, 0}, 0);
  for (const auto& how : on_grids(ranks.size())) {
    const auto a = spread(ranks, tiny);
    expect_rows(multiply(cpu, a, a, how), gossamer::multiply(cpu, tiny, tiny));
    expect_rows(multiply(cpu, spread(ranks, none), spread(ranks, nothing), how),
                csr_matrix<double>({5, 0}, 0));
  }
}

TEST(GridProduct, KeepsAMemoryLimitInRounds) {
  const auto ranks = communicator::world();
  const auto left = with_integers(generate::aspect<double>(cpu, 300, 20000, 120000));
  const auto right = with_integers(generate::aspect<double>(cpu, 20000, 30, 60000));
  const auto expected = gossamer::multiply(cpu, left, right);
  const auto a = spread(ranks, left), b = spread(ranks, right);
  for (auto how : on_grids(ranks.size())) {
    how.local.memory_limit = 3600000 / ranks.size() + 1700000;
    spgemm_report why;
    expect_rows(multiply(cpu, a, b, how, &why), expected);
    if (ranks.size() == 1) {
      EXPECT_GT(why.rounds, 1);
    }
    how.local.memory_limit = 10000;
    const auto text = refusal(error_kind::memory_limit, [&] { multiply(cpu, a, b, how); });
    EXPECT_NE(text.find("limit of 10 KB"), std::string::npos) << text;
  }
}

TEST(GridProduct, RefusesMoreLayersThanRanks) {
  const auto ranks = communicator::world();
  const auto a = spread(ranks, generate::poisson2d<double>(cpu, 3, 3));
  refusal(error_kind::bad_argument,
          [&] { multiply(cpu, a, a, {.algorithm = "3d", .layers = ranks.size() + 2}); });
  refusal(error_kind::bad_argument, [&] { multiply(cpu, a, a, {.algorithm = "3d", .layers = 1}); });
  if (ranks.size() > 1)
    refusal(error_kind::bad_argument,
            [&] { multiply(cpu, a, a, {.algorithm = ranks.rank() == 0 ? "1d" : "2d"}); });
}

}  // namespace
}  // namespace gossamer::mpi
